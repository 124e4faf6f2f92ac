package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"strconv"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// numbers reads an order file: for each line the number of its file, below n.
type numbers struct {
	path string
	f    *os.File
	r    *jsonl.Reader
	n    int
	hash hash.Hash
	text []byte // not yet hashed
}

func openNumbers(path string, n int) (*numbers, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the order of the lines: %w", bare(err))
	}
	return &numbers{path: path, f: f, r: jsonl.NewReader(f, path, jsonl.Options{Workers: 1}), n: n, hash: sha256.New()}, nil
}

// next is the next number; io.EOF after the last.
func (o *numbers) next() (int, error) {
	line, err := o.r.Read()
	if err != nil {
		return 0, err
	}
	if o.text = append(append(o.text, line.Data...), '\n'); len(o.text) > 32<<10 {
		o.sum()
	}
	n, err := strconv.Atoi(string(line.Data))
	if err != nil || n < 0 || n >= o.n {
		return 0, differsAt(line.Pos, cmdline.Quote(string(line.Data))+" is not the number of a file")
	}
	return n, nil
}

func (o *numbers) sum() {
	o.hash.Write(o.text)
	o.text = o.text[:0]
}

// are reports whether the numbers, when all are read, are those that a manifest knows.
func (o *numbers) are(m *shard.Manifest) bool {
	o.sum()
	return m.OrderSHA256 == "" || m.OrderSHA256 == hex.EncodeToString(o.hash.Sum(nil))
}

func (o *numbers) Close() error {
	o.r.Close()
	return o.f.Close()
}
