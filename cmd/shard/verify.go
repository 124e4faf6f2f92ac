package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

func verifyCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:      "verify",
		Usage:     "name the shards that are not as their manifest says",
		Arguments: "MANIFEST",
		Description: `What each shard holds is read again and compared, uncompressed: packing it anew changes nothing.
Exit code 1 when one is missing or differs.`,
		Examples: "shard verify shards.json && rm prompts.jsonl",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "read `N` shards at once", DefaultText: "one per core"},
		},
		Run: verify,
	}
}

func verify(ctx context.Context, s *cmdline.Session) error {
	if len(s.Files()) != 1 {
		return cmdline.Usagef("verify takes one manifest, %d are given", len(s.Files()))
	}
	path := s.Files()[0]
	m, err := readManifest(path)
	if err != nil {
		return err
	}
	var wrong int64
	var unread []error
	for _, c := range append(compareFiles(ctx, path, m, s.Int("jobs")), compareOrder(path, m)) {
		if c.err != nil {
			unread = append(unread, fmt.Errorf("%s: %w", cmdline.Clean(c.path, 200), bare(c.err)))
		}
		if c.differs != "" {
			wrong++
			s.Error("%s: %s", cmdline.Clean(c.path, 200), c.differs)
		}
	}
	if wrong > 0 {
		err := fmt.Errorf("%s not as %s says", count(wrong, "file"), cmdline.Quote(path))
		return errors.Join(append(unread, cmdline.Failed(cmdline.CodeBad, err))...)
	}
	if len(unread) > 0 {
		return errors.Join(unread...)
	}
	s.Note("%s, %s, as %s says", count(int64(len(m.Files)), "file"), count(m.Lines, "line"), cmdline.Quote(path))
	return nil
}

// comparison is what came of a file: how it differs, or why that is not known.
type comparison struct {
	path    string
	differs string
	err     error
}

func compareFiles(ctx context.Context, manifest string, m *shard.Manifest, jobs int) []comparison {
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	found := make([]comparison, len(m.Files))
	var next sync.Mutex
	var workers sync.WaitGroup
	i := 0
	for range jobs {
		workers.Go(func() {
			for {
				next.Lock()
				n := i
				i++
				next.Unlock()
				if n >= len(found) || ctx.Err() != nil {
					return
				}
				found[n] = compare(shard.FilePath(manifest, m.Files[n].Name), m.Files[n], m.IDField)
			}
		})
	}
	workers.Wait()
	return found
}

// compare reads a file and compares it with what a manifest says.
func compare(path string, want shard.File, idField string) comparison {
	c := comparison{path: path}
	digest, size, err := hashFile(path)
	var damage *jsonl.DamageError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.differs = "missing, it had " + count(want.Lines, "line")
	case errors.As(err, &damage) && damage.Kind != "read":
		c.differs = fmt.Sprintf("%s: %v", damage.Kind, damage.Err)
	case err != nil:
		c.err = err
	case digest != want.SHA256 || size != want.Bytes:
		c.differs, c.err = difference(path, want, idField)
	}
	return c
}

func hashFile(path string) (digest string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, jsonl.Decompress(f, path, jsonl.Options{Workers: 1}))
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// difference says in what the lines of a file differ that has other bytes.
func difference(path string, want shard.File, idField string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r := jsonl.NewReader(f, path, jsonl.Options{Workers: 1})
	defer r.Close()
	var doc jsonscan.Doc
	var ids shard.IDSum
	var lines int64
	for {
		line, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
		lines++
		if doc.Scan(line.Data) == nil {
			ids.Add(idOf(doc.Root(), idField, line.Data))
		}
	}
	switch {
	case lines != want.Lines:
		return fmt.Sprintf("%s, not %d", count(lines, "line"), want.Lines), nil
	case ids.String() == want.IDs:
		return "the same ids, but other bytes", nil
	}
	return "other lines", nil
}

// idOf is the digest of a line's id, or of the name that it goes by.
func idOf(root jsonscan.Value, field string, line []byte) shard.Digest {
	id := record.PromptID(root, field)
	if id.IsZero() {
		return shard.DigestOf(record.AppendName(nil, line))
	}
	d, _ := shard.DigestOfID(id, nil)
	return d
}

// compareOrder compares the order file with the counts of the others, and with what
// the manifest says of it.
func compareOrder(manifest string, m *shard.Manifest) comparison {
	c := comparison{path: shard.FilePath(manifest, m.Order)}
	lines, other, err := countOrder(c.path, m)
	var damage *jsonl.DamageError
	switch {
	case errors.As(err, &damage):
		c.differs = fmt.Sprintf("line %d: %v", damage.Line, damage.Err)
	case err != nil:
		c.differs = err.Error()
	case other:
		c.differs = otherOrder
	}
	for i, f := range m.Files {
		if err == nil && lines[i] != f.Lines {
			c.differs = fmt.Sprintf("%s of %s, not %d", count(lines[i], "line"), cmdline.Quote(f.Name), f.Lines)
			break
		}
	}
	return c
}

// countOrder counts the lines of each file in an order file, and reports whether that
// is another than the manifest's.
func countOrder(path string, m *shard.Manifest) (lines []int64, other bool, err error) {
	lines = make([]int64, len(m.Files))
	numbers, err := openNumbers(path, len(lines))
	if err != nil {
		return nil, false, err
	}
	defer numbers.Close()
	for {
		n, err := numbers.next()
		if err == io.EOF {
			return lines, !numbers.are(m), nil
		}
		if err != nil {
			return nil, false, err
		}
		lines[n]++
	}
}
