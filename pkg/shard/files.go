package shard

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Files are the files there are whose names are the template's, with any text for
// placeholders, and end in suffix, in order. They are spelled as the template spells
// them, which those of [filepath.Glob] are not. A folder that it names and that
// cannot be read is an error.
func (t *Template) Files(suffix string) ([]string, error) {
	found, filled := []string{""}, false
	for i, s := range t.segments(suffix) {
		var next []string
		for _, folder := range found {
			if i > 0 {
				folder += "/"
			}
			names, err := s.names(folder)
			if err != nil && !(filled && errors.Is(err, fs.ErrPermission)) { // of others
				return nil, err
			}
			next = append(next, names...)
		}
		found, filled = next, filled || s.isOpen()
	}
	return slices.DeleteFunc(found, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || info.IsDir()
	}), nil
}

// segment is what stands between two slashes of a template.
type segment []part

func (t *Template) segments(suffix string) []segment {
	all := []segment{nil}
	for _, p := range append(slices.Clip(t.parts), part{literal: suffix}) {
		for i, text := range strings.Split(p.literal, "/") {
			if i > 0 {
				all = append(all, nil)
			}
			last := &all[len(all)-1]
			*last = append(*last, part{literal: text, name: p.name})
		}
	}
	return all
}

func (s segment) isOpen() bool {
	return slices.ContainsFunc(s, func(p part) bool { return p.name != "" })
}

// names are those that fit in a folder, behind its own, which is "" or ends in a
// slash. What has no placeholder need not be there; where there is no folder there
// are none.
func (s segment) names(folder string) (names []string, err error) {
	if !s.isOpen() {
		for _, p := range s {
			folder += p.literal
		}
		return []string{folder}, nil
	}
	entries, err := os.ReadDir(folder + ".")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	pattern := (&Template{parts: s}).Glob()
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); ok { // a pattern of ours
			names = append(names, folder+e.Name())
		}
	}
	return names, err
}
