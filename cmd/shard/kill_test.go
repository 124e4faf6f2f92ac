package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
)

// TestKill kills a split at random moments, over the files of an earlier one. Every
// file that has a name is whole, of the one split or the other; the manifest of the
// earlier one holds as long as all its files are there; nothing is left of
// temporary files. The same command again then does all of it.
func TestKill(t *testing.T) {
	bin := filepath.Join(scripttest.Build(t, "shard"), "shard")
	dir, tmp := t.TempDir(), t.TempDir()
	old, fresh := prompts(5000), prompts(8000)
	for i := range fresh {
		fresh[i] = strings.Replace(fresh[i], "{", `{"new":true,`, 1)
	}
	split := func(lines []string, dir string, n int) *exec.Cmd {
		return exec.Command(bin, "-q", "-n", fmt.Sprint(n), "--shuffle", "1", "--memory", "64K", "--tmp-dir", tmp,
			"-o", dir+"/{shard}.jsonl.zst", "--manifest", dir+"/m", input(t, lines))
	}
	whole := t.TempDir()
	for _, cmd := range []*exec.Cmd{split(old, dir, 6), split(fresh, whole, 4)} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	before, after := contents(t, dir), contents(t, whole)
	for range 5 {
		cmd := split(fresh, dir, 4)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(time.Duration(10+rand.IntN(200))*time.Millisecond, func() { cmd.Process.Kill() })
		err := cmd.Wait()
		kill.Stop()
		if err == nil {
			break
		}
		now, isOld, isNew := contents(t, dir), true, true
		for name, text := range now {
			if !strings.HasSuffix(name, ".partial") && text != before[name] && text != after[name] {
				t.Errorf("%s is neither what it was nor what it will be", name)
			}
			isOld = isOld && (text == before[name] || strings.HasSuffix(name, ".partial"))
		}
		for name, text := range after { // killed when all was done
			isNew = isNew && now[name] == text
		}
		if code := runShard("", "verify", dir+"/m").code; (isOld || isNew) != (code == 0) {
			t.Errorf("all files are the old ones is %v, the new ones %v, verify says %d", isOld, isNew, code)
		}
	}
	out, err := split(fresh, dir, 4).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "another split are still there") {
		t.Errorf("%v: %s", err, out)
	}
	got := contents(t, dir)
	for name, text := range after {
		if got[name] != text {
			t.Errorf("%s is another in the end", name)
		}
	}
	good(t, "", "verify", dir+"/m")
	if left := contents(t, tmp); len(left) > 0 || len(got) != 8 {
		t.Errorf("%d temporary files are left, and %d others", len(left), len(got))
	}
}

// contents are the bytes of the files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name()] = string(data)
	}
	return all
}
