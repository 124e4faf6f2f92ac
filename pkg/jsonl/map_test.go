package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
)

// chunks reads in pieces of random size.
type chunks struct {
	r   io.Reader
	rnd *rand.Rand
}

func (c chunks) Read(p []byte) (int, error) {
	return c.r.Read(p[:1+c.rnd.IntN(min(len(p), 5000))])
}

// TestMapIsReader: whatever the container, the frames and the pieces that
// arrive, Map tells what Reader tells.
func TestMapIsReader(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 25 {
		text := someLines(rnd.IntN(1500))
		text = text[:len(text)-rnd.IntN(1+len(text)/10)]
		var parts [][]byte
		for rest := text; len(rest) > 0; {
			n := 1 + rnd.IntN(len(rest))
			parts = append(parts, rest[:n])
			rest = rest[n:]
		}
		for _, in := range [][]byte{text, zstdOf(t, parts...), gzipOf(t, parts...)} {
			if rnd.IntN(3) == 0 {
				in = in[:rnd.IntN(len(in)+1)]
			}
			o := Options{Workers: 1 + rnd.IntN(4), MaxLineBytes: int64(rnd.IntN(700) + 1)}
			want, err1 := readAll(bytes.NewReader(in), o)
			got, err2 := mapAll(chunks{bytes.NewReader(in), rnd}, o)
			if !sameLines(got, want) || fmt.Sprint(err1) != fmt.Sprint(err2) {
				t.Fatalf("%d bytes, %d parts: Map %d lines, %v; Reader %d lines, %v", len(in), len(parts), len(got), err2, len(want), err1)
			}
		}
	}
}

func source(name string, r io.Reader) Source {
	return Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

func TestMapGoesOnAfterDamage(t *testing.T) {
	var out []byte
	sources := []Source{
		source("a", strings.NewReader("1\n2")),
		source("b", bytes.NewReader(zstdOf(t, []byte("3\n4\n"))[:14])),
		{Name: "c", Open: func() (io.ReadCloser, error) { return nil, os.ErrNotExist }},
		source("d", iotest.ErrReader(errFull)),
		source("e", strings.NewReader("5\n")),
	}
	err := Map(context.Background(), sources, Options{}, texter, func(b *Block) error {
		out = append(out, b.Out...)
		return nil
	})
	if string(out) != "1\n2\n5\n" {
		t.Errorf("lines %q", out)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, os.ErrNotExist) || !errors.Is(err, errFull) {
		t.Errorf("errors %v", err)
	}
	if got := fmt.Sprint(err); !strings.HasPrefix(got, "b:1: zstd: input is cut: ") || !strings.Contains(got, "\nd:1: read: no space left") {
		t.Errorf("errors %v", err)
	}
}

// endless gives lines until it is closed.
type endless struct{ closed atomic.Bool }

func (e *endless) Read(p []byte) (int, error) {
	if e.closed.Load() {
		return 0, os.ErrClosed
	}
	for i := range p {
		p[i] = "1\n"[i%2]
	}
	return len(p), nil
}

func (e *endless) Close() error {
	e.closed.Store(true)
	return nil
}

// noMoreGoroutines waits for those that are at their last instruction.
func noMoreGoroutines(t *testing.T, before int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, there were %d", runtime.NumGoroutine(), before)
		}
	}
}

func TestMapEndsAtOnce(t *testing.T) {
	before := runtime.NumGoroutine()
	in := new(endless)
	src := []Source{{Name: "in", Open: func() (io.ReadCloser, error) { return in, nil }}}
	err := Map(context.Background(), src, Options{}, texter, func(*Block) error { return errFull })
	if err != errFull || !in.closed.Load() {
		t.Errorf("%v, closed %v", err, in.closed.Load())
	}
	ctx, cancel := context.WithCancel(context.Background())
	*in = endless{}
	blocks := 0
	err = Map(ctx, src, Options{}, texter, func(*Block) error {
		if blocks++; blocks == 3 {
			cancel()
		}
		return nil
	})
	if err != context.Canceled {
		t.Error(err)
	}
	// A pipe that says nothing.
	pr, pw, _ := os.Pipe()
	defer pw.Close()
	src[0].Open = func() (io.ReadCloser, error) { return pr, nil }
	ctx, cancel = context.WithCancel(context.Background())
	pw.WriteString("1\n")
	err = Map(ctx, src, Options{}, texter, func(*Block) error {
		cancel()
		return nil
	})
	if err != context.Canceled {
		t.Error(err)
	}
	noMoreGoroutines(t, before)
}

// TestMapCancelledInFrames stops while frames are being decoded ahead.
func TestMapCancelledInFrames(t *testing.T) {
	before := runtime.NumGoroutine()
	frame := zstdOf(t, someLines(300))
	for n := range 8 {
		in := bytes.NewReader(bytes.Repeat(frame, 60))
		blocks := 0
		err := Map(context.Background(), []Source{source("in", in)}, Options{Workers: 3}, texter, func(*Block) error {
			if blocks++; blocks > n {
				return errFull
			}
			return nil
		})
		if err != errFull && blocks > n {
			t.Fatal(err)
		}
	}
	noMoreGoroutines(t, before)
}

func TestMapWorkers(t *testing.T) {
	var made atomic.Int32
	worker := func() func(*Block) {
		made.Add(1)
		return texter()
	}
	sink := func(*Block) error { return nil }
	if err := Map(context.Background(), []Source{source("in", strings.NewReader("1\n"))}, Options{Workers: 8}, worker, sink); err != nil || made.Load() != 1 {
		t.Errorf("one line made %d workers, %v", made.Load(), err)
	}
	made.Store(0)
	if err := Map(context.Background(), nil, Options{}, worker, sink); err != nil || made.Load() != 0 {
		t.Errorf("nothing made %d workers, %v", made.Load(), err)
	}
}

// TestIdleIsForPipes: a regular file never pauses, so that frames stay large.
func TestIdleIsForPipes(t *testing.T) {
	path := memDir(t) + "/in.zst"
	write(t, path, bytes.Repeat(zstdOf(t, someLines(300)), 200))
	src := Source{Name: path, Open: func() (io.ReadCloser, error) { return os.Open(path) }}
	err := Map(context.Background(), []Source{src}, Options{}, texter, func(b *Block) error {
		if b.Idle {
			t.Error("a block of a file is idle")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func ExampleMap() {
	in := Source{Name: "in", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("one\r\n\ntwo\nthree")), nil
	}}
	worker := func() func(*Block) {
		return func(b *Block) {
			for line := range b.Lines() {
				b.Out = fmt.Appendf(b.Out, "%v at %d: %s\n", line.Pos, line.Offset, line.Data)
			}
		}
	}
	out := NewWriter(os.Stdout, WriterOptions{})
	err := Map(context.Background(), []Source{in}, Options{}, worker, func(b *Block) error {
		_, err := out.Write(b.Out)
		if b.Idle && err == nil {
			err = out.Idle()
		}
		return err
	})
	fmt.Println(errors.Join(err, out.Close()))
	// Output:
	// in:1 at 0: one
	// in:3 at 6: two
	// in:4 at 10: three
	// <nil>
}
