package main

import (
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// there are the files that match the pattern of the template, finished or not.
func (f *files) there() ([]string, error) {
	finished, err := f.template.Files("")
	if err != nil {
		return nil, err
	}
	unfinished, err := f.template.Files(jsonl.PartialSuffix)
	return append(finished, unfinished...), err
}

// sparesInputs refuses a template whose fields may name a file that is read, before
// anything is read: hours later a line would.
func (f *files) sparesInputs() error {
	if f.template == nil || !f.template.HasFields() {
		return nil
	}
	there, err := f.there()
	if err != nil {
		return err
	}
	parse := f.template.Parser()
	var names []string
	for _, path := range there {
		path = strings.TrimSuffix(path, jsonl.PartialSuffix)
		if name, ok := parse(path); ok && f.current(name) && (f.chosen < 0 || name.Shard < 0 || name.Shard == f.chosen) {
			names = append(names, path)
		}
	}
	const together = 1000 // outputs are compared with each other, too
	for some := range slices.Chunk(names, together) {
		if err := f.distinct(some...); err != nil {
			return cmdline.WithHint(err, "a line's field may have the value that makes this name; put the output into another folder")
		}
	}
	return nil
}
