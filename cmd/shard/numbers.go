package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// numbers reads an order file: for each line the number of its file, below n.
type numbers struct {
	f *os.File
	r *jsonl.Reader
	n int
}

func openNumbers(path string, n int) (*numbers, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the order of the lines: %w", err)
	}
	return &numbers{f, jsonl.NewReader(f, path, jsonl.Options{Workers: 1}), n}, nil
}

// next is the next number; io.EOF after the last.
func (o *numbers) next() (int, error) {
	line, err := o.r.Read()
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(string(line.Data))
	if err != nil || n < 0 || n >= o.n {
		return 0, fmt.Errorf("%s: %s is not the number of a file", line.Pos, cmdline.Quote(string(line.Data)))
	}
	return n, nil
}

func (o *numbers) Close() error {
	o.r.Close()
	return o.f.Close()
}
