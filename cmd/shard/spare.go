package main

import (
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
	return cmdline.WithHint(f.distinct(names...), "a line's field may have the value that makes this name; put the output into another folder")
}

// distinct refuses to write over what is read or written otherwise. Unlike the
// single output, a file of a template may not be an input: what replaced it would
// be a part of it.
func (f *files) distinct(names ...string) error {
	return f.s.Distinct(append(pathFlags("--output", names...), f.writes()...), f.read)
}

// take refuses to write one file for two: links make two names of one, and so do
// ".." behind a placeholder and placeholders without text between them.
func (f *files) take(name string) error {
	target, err := jsonl.Target(name)
	if err != nil || target == "" { // written directly, in turns
		return nil
	}
	target = realPath(target)
	switch other, ok := f.taken[target]; {
	case ok && other == name:
		return cmdline.WithHint(cmdline.Usagef("--output: %s is the name of two files", cmdline.Quote(name)), "put text between the placeholders")
	case ok:
		return cmdline.Usagef("--output: %s and %s are one file", cmdline.Quote(other), cmdline.Quote(name))
	}
	f.taken[target] = name
	return nil
}
