package jsonl

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// TestMain is also the process that tests kill: with an archive's name in the
// environment it appends to it for ever, and tells what is durable. Else no
// goroutine may outlive the tests.
func TestMain(m *testing.M) {
	path := os.Getenv("JSONL_TEST_APPEND")
	if path == "" {
		goleak.VerifyTestMain(m)
		return
	}
	a, _, err := OpenAppend(path, AppendOptions{Whole: json.Valid})
	for i := 0; err == nil; i++ {
		if err = a.Append(fmt.Appendf(nil, "%d", i)); err == nil && i%3 == 0 {
			err = a.Sync()
			fmt.Println(i)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func TestAppendByAnotherProcess(t *testing.T) {
	for _, name := range []string{"a.jsonl", "a.jsonl.zst", "a.jsonl.gz"} {
		path := filepath.Join(memDir(t), name)
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "JSONL_TEST_APPEND="+path)
		c.Stderr = os.Stderr
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		durable := 0
		told := bufio.NewScanner(out)
		for range 20 {
			if !told.Scan() {
				t.Fatal("the other process has ended")
			}
			fmt.Sscan(told.Text(), &durable)
		}
		_, _, err = OpenAppend(path, AppendOptions{})
		var held *LockedError
		if !errors.As(err, &held) || held.PID != c.Process.Pid {
			t.Errorf("%s: %v, want that process %d holds it", name, err, c.Process.Pid)
		}
		c.Process.Kill()
		c.Wait()
		a, lines, _ := visited(t, path)
		if len(lines) <= durable {
			t.Errorf("%s: %d lines after a kill, %d were durable", name, len(lines), durable+1)
		}
		appendLines(t, a, "-1")
		for i, l := range linesOfFile(t, path)[:len(lines)] {
			if l != fmt.Sprint(i) {
				t.Fatalf("%s: line %d is %q", name, i, l)
			}
		}
	}
}
