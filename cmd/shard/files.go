package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// files are the outputs: one, or those of a template, each begun when its first
// line comes.
type files struct {
	*plan
	s      *cmdline.Session
	single *cmdline.Output
	groups map[string][]*cmdline.Output // by their path with the shard still open
	count  int
	inputs []os.FileInfo // must not be written over
}

// openFiles refuses names that are inputs, as far as they are known, and opens
// the single output.
func openFiles(s *cmdline.Session, p *plan) (*files, error) {
	f := &files{plan: p, s: s, groups: map[string][]*cmdline.Output{}, inputs: inputs(s)}
	if p.template == nil {
		if path := s.String("output"); path != "" && path != "-" {
			if err := f.spare(path); err != nil {
				return nil, err
			}
		}
		single, err := s.Output()
		f.single = single
		return f, err
	}
	if p.template.HasFields() {
		return f, nil
	}
	group := f.onlyGroup()
	for i := range p.groupSize() {
		if err := f.spare(f.path(group, i)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// inputs are the regular files that will be read.
func inputs(s *cmdline.Session) []os.FileInfo {
	var infos []os.FileInfo
	add := func(info os.FileInfo, err error) {
		if err == nil && info.Mode().IsRegular() {
			infos = append(infos, info)
		}
	}
	for _, path := range s.Files() {
		add(os.Stat(path))
	}
	if f, ok := s.In.(*os.File); ok {
		add(f.Stat())
	}
	return infos
}

// spare refuses to write over an input, under its own or its temporary name.
func (f *files) spare(path string) error {
	for _, name := range []string{path, path + ".partial"} {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		for _, in := range f.inputs {
			if os.SameFile(info, in) {
				return cmdline.Usagef("--output would write over the input %s", cmdline.Quote(name))
			}
		}
	}
	return nil
}

// onlyGroup is the group of a template without fields.
func (f *files) onlyGroup() string {
	group, err := f.template.AppendGroup(nil, jsonscan.Value{}, f.rule.N)
	if err != nil {
		panic("shard: a template without fields needs one: " + err.Error())
	}
	return string(group)
}

// path is the name of a group's i-th file.
func (f *files) path(group string, i int) string {
	if f.chosen >= 0 {
		i = f.chosen
	}
	return shard.Path(group, i)
}

// output is where a line of a group and shard goes.
func (f *files) output(group []byte, n int) (*cmdline.Output, error) {
	if f.single != nil {
		return f.single, nil
	}
	members := f.groups[string(group)]
	if members == nil {
		var err error
		if members, err = f.begin(string(group)); err != nil {
			return nil, err
		}
	}
	if len(members) == 1 {
		n = 0
	}
	if members[n] == nil {
		o, err := f.create(f.path(string(group), n))
		if err != nil {
			return nil, err
		}
		members[n] = o
	}
	return members[n], nil
}

// begin makes room for a group. All its files count at once: they will all exist.
func (f *files) begin(group string) ([]*cmdline.Output, error) {
	if f.count += f.groupSize(); f.count > f.maxFiles {
		return nil, tooManyFiles(f.maxFiles)
	}
	members := make([]*cmdline.Output, f.groupSize())
	f.groups[group] = members
	return members, nil
}

func (f *files) create(path string) (*cmdline.Output, error) {
	if err := f.spare(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("make the folder of %s: %w", cmdline.Quote(path), err)
	}
	return f.s.CreateMember(path)
}

// fill creates the shards that no line went to, so that whoever runs one job a
// shard finds all of them. Of an input without a good line there are none: a job
// would wait for nothing.
func (f *files) fill(good int64) error {
	if f.template == nil || good == 0 {
		return nil
	}
	if !f.template.HasFields() && len(f.groups) == 0 {
		if _, err := f.begin(f.onlyGroup()); err != nil {
			return err
		}
	}
	for group, members := range f.groups {
		for n := range members {
			if _, err := f.output([]byte(group), n); err != nil {
				return err
			}
		}
	}
	return nil
}

// idle hands on what a reader may be waiting for.
func (f *files) idle() error {
	if f.single == nil {
		return nil
	}
	return f.single.Idle()
}
