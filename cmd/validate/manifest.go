package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// promptFile is a file of prompts; want is what a manifest says of it, nil for
// a file that was named itself.
type promptFile struct {
	jsonl.Source
	want *shard.File
}

// mostManifest is how big a manifest may be, in bytes: of about 300 000 files.
const mostManifest = 64 << 20

// readManifest reads a manifest of shard; nil for a file that is none, such as
// one of prompts.
func readManifest(path string) (*shard.Manifest, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, nil // to open a pipe again would wait for ever
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil // told where the prompts are read
	}
	defer f.Close()
	head := make([]byte, 4<<10)
	n, _ := f.ReadAt(head, 0)
	head = head[:n]
	info, err := f.Stat()
	if err != nil || info.Size() > mostManifest || !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) ||
		!bytes.Contains(head, []byte(`"order"`)) || !bytes.Contains(head, []byte(`"files"`)) {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmdline.Clean(path, 200), err)
	}
	m, err := shard.ParseManifest(text)
	if err != nil {
		return nil, nil // a prompt that speaks of files
	}
	return m, nil
}

// addManifest adds the files of a manifest, which stand in its folder.
func (p *prompts) addManifest(s *cmdline.Session, path string, m *shard.Manifest) {
	if p.idField == "" {
		p.idField = m.IDField
	}
	for i := range m.Files {
		p.files = append(p.files, promptFile{s.Source(shard.FilePath(path, m.Files[i].Name)), &m.Files[i]})
	}
}

// proof sums up the lines of a file that a manifest knows.
type proof struct {
	file  *promptFile
	lines int64
	hash  hash.Hash
}

func newProof(f *promptFile) *proof { return &proof{file: f, hash: sha256.New()} }

func (p *proof) add(line jsonl.Line) {
	if p.file.want == nil {
		return
	}
	p.lines++
	p.hash.Write(line.Data)
	if line.Return {
		p.hash.Write([]byte{'\r'})
	}
	p.hash.Write([]byte{'\n'})
}

// verify compares with the manifest: prompts that were lost are not expected of
// anybody.
func (p *proof) verify() error {
	want := p.file.want
	switch {
	case want == nil:
		return nil
	case p.lines != want.Lines:
		return fmt.Errorf("%s: %d lines, the manifest says %d", cmdline.Clean(p.file.Name, 200), p.lines, want.Lines)
	case hex.EncodeToString(p.hash.Sum(nil)) != want.SHA256:
		return fmt.Errorf("%s: not the lines of which the manifest tells", cmdline.Clean(p.file.Name, 200))
	}
	return nil
}
