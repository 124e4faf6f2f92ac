package main

import (
	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// files are the outputs: one, or those of a template, each begun when its first
// line comes.
type files struct {
	*plan
	s      *cmdline.Session
	single *member
	groups map[string][]*member // by their path with the shard still open
	taken  map[string]string    // the names of a template's files, by where they lead
	first  map[string]int       // the number of a group's first file
	count  int
	order  *order          // nil without --manifest
	report *cmdline.Output // the manifest
}

// member is one of the outputs.
type member struct {
	*cmdline.Output
	path   string
	number int // in the manifest
	shard  int
	sum    *sum // nil without --manifest
}

// openFiles refuses names that are taken, as far as they are known, and opens
// the single output.
func openFiles(s *cmdline.Session, p *plan) (*files, error) {
	f := &files{plan: p, s: s, groups: map[string][]*member{}, first: map[string]int{}, taken: map[string]string{}}
	known := f.knownNames()
	if err := f.distinct(known...); err != nil {
		return nil, err
	}
	for _, name := range known {
		if err := f.take(name); err != nil {
			return nil, err
		}
	}
	if err := f.sparesInputs(); err != nil {
		return nil, err
	}
	if err := f.openManifest(); err != nil {
		return nil, err
	}
	if p.template != nil {
		return f, nil
	}
	single, err := s.Output()
	f.single = f.member(single, s.String("output"), 0, max(p.chosen, 0))
	return f, err
}

// knownNames are the files of a template without fields.
func (f *files) knownNames() []string {
	if f.template == nil || f.template.HasFields() {
		return nil
	}
	group := f.onlyGroup()
	names := make([]string, f.groupSize())
	for i := range names {
		names[i] = f.path(group, i)
	}
	return names
}

func (f *files) member(o *cmdline.Output, path string, number, shard int) *member {
	m := &member{Output: o, path: path, number: number, shard: shard}
	if f.order != nil {
		m.sum = newSum()
	}
	return m
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
func (f *files) output(group []byte, n int) (*member, error) {
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
		path := f.path(string(group), n)
		o, err := f.create(path)
		if err != nil {
			return nil, err
		}
		members[n] = f.member(o, path, f.first[string(group)]+n, max(n, f.chosen))
	}
	return members[n], nil
}

// begin makes room for a group. All its files count at once: they will all exist.
func (f *files) begin(group string) ([]*member, error) {
	f.first[group] = f.count
	if f.count += f.groupSize(); f.count > f.maxFiles {
		return nil, tooManyFiles(f.maxFiles)
	}
	members := make([]*member, f.groupSize())
	f.groups[group] = members
	return members, nil
}

func (f *files) create(path string) (*cmdline.Output, error) {
	if err := f.distinct(path); err != nil {
		return nil, err
	}
	if err := f.s.MakeFolder(path); err != nil {
		return nil, err
	}
	if f.template.HasFields() {
		if err := f.take(path); err != nil {
			return nil, err
		}
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
