package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

func mergeCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:      "merge",
		Usage:     "join shards",
		Arguments: "[FILE …]",
		Description: `With --manifest the lines come in the order in which they were dealt out: that of the input, or of
--shuffle. FILEs are the shards that it names, wherever they are now; none means those beside it.
One that is missing, there twice, too short, too long or changed is an error. Memory grows with the
number of shards, by up to 2 MB for each that is compressed, by 0.2 MB for each of thousands that
shard wrote, and with --dedupe by 50 bytes a line.

Without --manifest the FILEs are joined one after the other, as they are named: that undoes --by
range and --by bytes, whose shards are runs of the input.`,
		Examples: `shard merge --manifest shards.json -o prompts.jsonl
shard merge --dedupe id round1.jsonl round2.jsonl.zst > all.jsonl`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "manifest", Usage: "restore the order that `FILE` and FILE.order.zst say"},
			&cli.StringFlag{Name: "dedupe", Usage: "drop lines whose `id` was there before"},
			&cli.StringFlag{Name: "id-field", Usage: "the id is in field `NAME`", DefaultText: "id, custom_id, uuid, question_id or task_id"},
		},
		Shared: cmdline.Reads | cmdline.Writes | cmdline.Watched,
		Run:    runMerge,
	}
}

func runMerge(ctx context.Context, s *cmdline.Session) error {
	p := plan{chosen: -1, rule: shard.Rule{N: 1}, keep: 1, limit: math.MaxInt64, dedupe: s.String("dedupe"), idField: s.String("id-field"), joins: true}
	if err := s.RefuseEmpty("manifest", "dedupe", "id-field"); err != nil {
		return err
	}
	switch manifest := s.String("manifest"); {
	case p.dedupe != "" && p.dedupe != "id":
		return cmdline.Usagef("--dedupe: %s is not id", cmdline.Quote(p.dedupe))
	case manifest != "":
		m, err := openMerge(manifest, s.Files())
		if err != nil {
			return err
		}
		m.pool = newPool(s.Options())
		p.read = pathFlags("--manifest", append(m.paths, manifest, shard.FilePath(manifest, m.manifest.Order))...)
		return p.run(ctx, s, []jsonl.Source{{Name: manifest, Open: m.open}})
	case len(s.Files()) == 0:
		return cmdline.WithHint(cmdline.Usagef("merge takes shards"), "name them, or the --manifest that names them")
	}
	return p.run(ctx, s, s.Inputs())
}

// openMerge finds the shards of a manifest among files, or where it says when
// there are none.
func openMerge(path string, files []string) (*merger, error) {
	m, err := readManifest(path)
	if err != nil {
		return nil, err
	}
	merge := &merger{path: path, manifest: m, paths: make([]string, len(m.Files))}
	if len(files) > 0 {
		return merge, merge.match(files)
	}
	var gone []string
	for i, f := range m.Files {
		merge.paths[i] = shard.FilePath(path, f.Name)
		if _, err := os.Stat(merge.paths[i]); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, merge.paths[i])
		}
	}
	if len(gone) > 0 {
		return nil, cmdline.WithHint(fmt.Errorf("no such file: %s", several(gone)), "shards that were moved are named: shard merge --manifest M FILE …")
	}
	return merge, nil
}

// match finds the file for each shard: by its path, or, when shards were moved, by
// its name. There must be one for each.
func (m *merger) match(files []string) error {
	byPath, byName := map[string]int{}, map[string]int{}
	for i, f := range m.manifest.Files {
		byPath[realPath(shard.FilePath(m.path, f.Name))] = i
		if _, ok := byName[filepath.Base(f.Name)]; ok {
			i = -1 // several have it
		}
		byName[filepath.Base(f.Name)] = i
	}
	for _, file := range files {
		i, ok := byPath[realPath(file)]
		if !ok {
			i, ok = byName[filepath.Base(file)]
		}
		switch {
		case !ok:
			return cmdline.Usagef("%s is none of the shards of %s", cmdline.Quote(file), cmdline.Quote(m.path))
		case i < 0:
			return cmdline.Usagef("several shards of %s have the name of %s", cmdline.Quote(m.path), cmdline.Quote(file))
		case m.paths[i] != "":
			return cmdline.Usagef("shard %s is there twice: %s and %s", cmdline.Quote(m.manifest.Files[i].Name), cmdline.Quote(m.paths[i]), cmdline.Quote(file))
		}
		m.paths[i] = file
	}
	for i, path := range m.paths {
		if path == "" {
			return cmdline.WithHint(cmdline.Usagef("shard %s is not there", cmdline.Quote(m.manifest.Files[i].Name)), "name all shards of the manifest, or none")
		}
	}
	return nil
}

// merger reads the lines of shards in the order in which they were dealt out.
type merger struct {
	path     string
	manifest *shard.Manifest
	paths    []string // of the files, in the manifest's order

	numbers *numbers
	pool    pool
	shards  []*shardReader // nil until its first line
	out     []byte
	rest    []byte // of out, not yet read
	err     error
}

func (m *merger) open() (io.ReadCloser, error) {
	path := shard.FilePath(m.path, m.manifest.Order)
	numbers, err := openNumbers(path, len(m.paths))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmdline.Clean(path, 200), err)
	}
	m.numbers, m.shards = numbers, make([]*shardReader, len(m.paths))
	return m, nil
}

// Read implements io.Reader. It ends with io.EOF when every shard was read to its
// end and was as the manifest says.
func (m *merger) Read(p []byte) (int, error) {
	for len(m.rest) == 0 && m.err == nil {
		m.out = m.out[:0]
		for m.err == nil && len(m.out) < 64<<10 {
			m.err = m.next()
		}
		m.rest = m.out
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	if n == 0 {
		return 0, m.err
	}
	return n, nil
}

// next appends the next line to out.
func (m *merger) next() error {
	n, err := m.numbers.next()
	if err == io.EOF {
		return m.end()
	}
	if err != nil {
		return err
	}
	m.out, err = m.shard(n).append(m.out)
	if err == io.EOF {
		return m.short(n)
	}
	return err
}

// shard is the reader of a shard, opened when its first line is wanted.
func (m *merger) shard(n int) *shardReader {
	if m.shards[n] == nil {
		m.shards[n] = openShard(&m.pool, m.paths[n])
	}
	return m.shards[n]
}

// short is the error of a shard that has fewer lines than the order asks of it.
func (m *merger) short(n int) error {
	if have, want := m.shards[n].sum.lines, m.manifest.Files[n].Lines; have < want {
		return differs(m.paths[n], fmt.Sprintf("it has %s, not %d", count(have, "line"), want))
	}
	return differs(m.numbers.path, otherOrder)
}

// end holds what was read against the manifest.
func (m *merger) end() error {
	for i, want := range m.manifest.Files {
		_, err := m.shard(i).append(nil)
		switch {
		case err == nil:
			return differs(m.paths[i], "it has more than "+count(want.Lines, "line"))
		case err != io.EOF:
			return err
		case m.shards[i].sum.of().SHA256 != want.SHA256:
			return differs(m.paths[i], "it has other lines than the manifest says")
		}
	}
	if !m.numbers.are(m.manifest) {
		return differs(m.numbers.path, otherOrder)
	}
	return io.EOF
}

const otherOrder = "the order of the lines is another than the manifest says"

// differs is an error of what is not as a manifest says.
func differs(path, cause string) error { return differsAt(jsonl.Pos{File: path}, cause) }

func differsAt(pos jsonl.Pos, cause string) error {
	return &jsonl.DamageError{Pos: pos, Kind: "manifest", Err: errors.New(cause)}
}

// Close closes what was opened.
func (m *merger) Close() error {
	for _, s := range m.shards {
		if s != nil {
			s.close()
		}
	}
	if m.numbers != nil {
		m.numbers.Close()
	}
	return nil
}
