package main

import (
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// warnStale names files that an earlier run split into other numbers, those of a
// killed run among them: whoever takes all files of the folder would take their
// lines twice.
func (f *files) warnStale() error {
	if f.template == nil || !f.template.HasShard() && !f.template.HasShards() {
		return nil
	}
	there, err := f.there()
	if err != nil {
		return err
	}
	stale := f.stale(f.template.Parser(), there)
	if len(stale) == 0 {
		return nil
	}
	f.s.Warn("files of another split are still there: %s", several(stale))
	f.s.Hint("remove them before something takes all of %s", cmdline.Quote(f.template.Glob()))
	return nil
}

// stale are the files that are not of this split, in folders and with names that
// this run wrote to. When it wrote nothing, all are old.
func (f *files) stale(parse func(string) (shard.Name, bool), found []string) (stale []string) {
	written := map[string]bool{}
	for group := range f.groups {
		if name, ok := parse(f.path(group, 0)); ok {
			written[name.Fields] = true
		}
	}
	for _, path := range found {
		name, ok := parse(strings.TrimSuffix(path, jsonl.PartialSuffix))
		if ok && (len(written) == 0 || written[name.Fields] && !f.current(name)) {
			stale = append(stale, path)
		}
	}
	return stale
}

// current reports whether a name has a number of this split.
func (f *files) current(name shard.Name) bool {
	return name.Shard < f.rule.N && (name.Shards < 0 || name.Shards == f.rule.N)
}

// several names the first of some files and counts the others.
func several(paths []string) string {
	const shown = 3
	var names []string
	for _, path := range paths[:min(len(paths), shown)] {
		names = append(names, cmdline.Quote(path))
	}
	text := strings.Join(names, ", ")
	if more := len(paths) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
