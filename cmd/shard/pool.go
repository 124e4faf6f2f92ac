package main

import (
	"container/list"
	"io"
	"os"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// pool keeps some of the files open that are read in turn, those that were read
// last.
type pool struct {
	open    list.List // of *pooled, the last one in front
	most    int
	options jsonl.Options // of reading
}

func newPool(o jsonl.Options) pool {
	o.Workers, o.Shared = 1, &jsonl.SharedReader{}
	return pool{most: jsonl.MostOpen(), options: o}
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
	if p.pool.open.Len() >= p.pool.most {
		p.pool.open.Back().Value.(*pooled).close()
	}
	f, err := os.Open(p.path)
	if err != nil {
		return bare(err)
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
	s.r = jsonl.NewReader(&s.raw, path, p.options)
	return s
}

// append appends the next line with its newline; io.EOF after the last. Who reads
// what is merged drops a carriage return before that: one that the shard has stands
// there twice.
func (s *shardReader) append(dst []byte) ([]byte, error) {
	line, err := s.r.Read()
	if err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(dst, line.Data...)
	end := "\n"
	if line.Return {
		dst = append(dst, '\r')
		end = "\r\n"
	}
	s.sum.lines++
	s.sum.hash.Write(dst[start:])
	s.sum.hash.Write(newline)
	return append(dst, end...), nil
}

var newline = []byte{'\n'}

func (s *shardReader) close() {
	s.r.Close()
	s.raw.close()
}
