package shard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

func TestTemplateFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"raw/a.x", "raw/b.x", "raw/b.x.partial", "raw/c.y", "raw/deep/a.x", "raw/deep.x/in", "odd[1]*/a.x", `w\/a.x`, "raw/deep/a/in.x", "*.x"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f := func(template, suffix, want string) {
		t.Helper()
		parsed, err := shard.ParseTemplate(template)
		if err != nil {
			t.Fatal(err)
		}
		found, err := parsed.Files(suffix)
		if got := strings.Join(found, " "); got != want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", template, got, err, want)
		}
	}
	f("raw/{d}.x", "", "raw/a.x raw/b.x")
	f("raw/{d}.x", ".partial", "raw/b.x.partial")
	f("./raw//{d}.x", "", "./raw//a.x ./raw//b.x")
	f("raw/../raw/{d}.x", "", "raw/../raw/a.x raw/../raw/b.x")
	f("{a}/{b}.x", "", `odd[1]*/a.x raw/a.x raw/b.x w\/a.x`)
	f("odd[1]*/{d}.x", "", "odd[1]*/a.x")
	f(`w\//{d}.x`, "", `w\//a.x`)
	f("{d}.x", "", "*.x")
	f("raw/{a}/{b}/in.x", "", "raw/deep/a/in.x")
	f("raw/{a}/{b}/out.x", "", "")
	f("nowhere/{d}", "", "")
	f("raw/a.x/{d}", "", "")
	f("raw/a.x", "", "raw/a.x")
	f("raw/none.x", "", "")
	f("raw/{shard}-{shards}", "", "")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	f(here+"/raw/{d}.y", "", here+"/raw/c.y")
}
