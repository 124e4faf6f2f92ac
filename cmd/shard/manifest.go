package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// sum gathers what a manifest says of a file.
type sum struct {
	lines, bytes int64
	ids          shard.IDSum
	hash         hash.Hash
}

func newSum() *sum { return &sum{hash: sha256.New()} }

// add adds a line that ends in a newline, and its id.
func (s *sum) add(line []byte, id shard.Digest) {
	s.lines++
	s.bytes += int64(len(line))
	s.ids.Add(id)
	s.hash.Write(line)
}

func (s *sum) of() shard.Sum {
	return shard.Sum{Lines: s.lines, Bytes: s.bytes, IDs: s.ids.String(), SHA256: hex.EncodeToString(s.hash.Sum(nil))}
}

// order writes the order file: for each line the number of its file.
type order struct {
	out  *cmdline.Output
	buf  []byte
	hash hash.Hash
}

func (o *order) add(number int) error {
	o.buf = append(strconv.AppendInt(o.buf, int64(number), 10), '\n')
	if len(o.buf) < 64<<10 {
		return nil
	}
	return o.flush()
}

func (o *order) flush() error {
	if len(o.buf) == 0 {
		return nil
	}
	o.hash.Write(o.buf)
	_, err := o.out.Write(o.buf)
	o.buf = o.buf[:0]
	return err
}

// openManifest begins the manifest and the order file: what cannot be written is
// told before the work.
func (f *files) openManifest() error {
	if f.manifest == "" {
		return nil
	}
	if f.template != nil {
		if err := f.s.MakeFolder(f.manifest); err != nil {
			return err
		}
	}
	out, err := f.s.CreateStamp(f.manifest + shard.OrderSuffix)
	if err != nil {
		return err
	}
	f.order = &order{out: out, hash: sha256.New()}
	f.report, err = f.s.CreateStamp(f.manifest)
	return err
}

// writeManifest says what all files hold. They appear before it does.
func (f *files) writeManifest() error {
	if f.manifest == "" {
		return nil
	}
	if err := f.order.flush(); err != nil {
		return err
	}
	m := shard.Manifest{By: f.by, Shards: f.rule.N, IDField: f.idField, Order: filepath.Base(f.manifest) + shard.OrderSuffix}
	m.OrderSHA256 = hex.EncodeToString(f.order.hash.Sum(nil))
	var ids shard.IDSum
	for _, member := range f.all() {
		file := shard.File{Name: f.relative(member.path), Shard: member.shard, Sum: member.sum.of()}
		m.Files = append(m.Files, file)
		m.Lines += file.Lines
		m.Bytes += file.Bytes
		ids.Join(member.sum.ids)
	}
	m.IDs = ids.String()
	_, err := f.report.Write(m.AppendJSON(nil))
	return err
}

// all are the outputs by their numbers.
func (f *files) all() []*member {
	if f.single != nil {
		return []*member{f.single}
	}
	all := make([]*member, f.count)
	for _, members := range f.groups {
		for _, m := range members {
			all[m.number] = m
		}
	}
	return all
}

// relative is a file's name seen from the manifest's folder, so that both can be
// moved together.
//
// Inside of that folder it goes by the names that were given; ".." by where links
// lead.
func (f *files) relative(path string) string {
	if !strings.Contains(f.manifest+path, "..") {
		from, err1 := filepath.Abs(filepath.Dir(f.manifest))
		to, err2 := filepath.Abs(path)
		name, err3 := filepath.Rel(from, to)
		if err1 == nil && err2 == nil && err3 == nil && filepath.IsLocal(name) {
			return name
		}
	}
	name, err := filepath.Rel(filepath.Dir(realPath(f.manifest)), realPath(path))
	if err != nil {
		return path
	}
	return name
}

// realPath is a path whose folder has no links in it, as far as that is there.
func realPath(path string) string {
	folder, base := filepath.Split(path)
	if real, err := filepath.EvalSymlinks(folder + "."); err == nil {
		path = filepath.Join(real, base)
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

func readManifest(path string) (*shard.Manifest, error) {
	data, err := os.ReadFile(path)
	var m *shard.Manifest
	if err == nil {
		m, err = shard.ParseManifest(data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmdline.Clean(path, 200), bare(err))
	}
	return m, nil
}

// bare is an error without the operation and the path, which is named otherwise.
func bare(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
