package main

import (
	"container/list"
	"io"
	"os"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// mostOpen is how many shards are open at once when they are merged: systems let
// a process open some 256 files and more.
const mostOpen = 128

// pool keeps some of the files open that are read in turn, those that were read
// last.
type pool struct {
	open   list.List // of *pooled, the last one in front
	shared jsonl.SharedReader
}

// pooled is a file that is read from its beginning to its end, and may be closed
// in between.
type pooled struct {
	pool *pool
	path string
	f    *os.File
	at   int64
	in   *list.Element // nil while closed
}

// Read implements io.Reader.
func (p *pooled) Read(b []byte) (int, error) {
	if p.in == nil {
		if err := p.reopen(); err != nil {
			return 0, err
		}
	}
	p.pool.open.MoveToFront(p.in)
	n, err := p.f.Read(b)
	p.at += int64(n)
	return n, err
}

func (p *pooled) reopen() error {
	if p.pool.open.Len() >= mostOpen {
		p.pool.open.Back().Value.(*pooled).close()
	}
	f, err := os.Open(p.path)
	if err != nil {
		return err
	}
	if p.at > 0 {
		if _, err := f.Seek(p.at, io.SeekStart); err != nil {
			f.Close()
			return err
		}
	}
	p.f, p.in = f, p.pool.open.PushFront(p)
	return nil
}

func (p *pooled) close() {
	if p.in != nil {
		p.f.Close()
		p.pool.open.Remove(p.in)
		p.in = nil
	}
}

// shardReader reads the lines of a shard.
type shardReader struct {
	raw pooled
	r   *jsonl.Reader
	sum *sum
}

func openShard(p *pool, path string) *shardReader {
	s := &shardReader{raw: pooled{pool: p, path: path}, sum: newSum()}
	s.r = jsonl.NewReader(&s.raw, path, jsonl.Options{Workers: 1, Shared: &p.shared})
	return s
}

// append appends the next line with its newline; io.EOF after the last.
func (s *shardReader) append(dst []byte) ([]byte, error) {
	line, err := s.r.Read()
	if err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(append(dst, line.Data...), '\n')
	s.sum.lines++
	s.sum.hash.Write(dst[start:])
	return dst, nil
}

func (s *shardReader) close() {
	s.r.Close()
	s.raw.close()
}
