package jsonl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// prose is about n bytes of lines of 17 KB that compress like text.
func prose(n int) []byte {
	rnd := rand.New(rand.NewPCG(7, 8))
	words := make([]string, 4000)
	for i := range words {
		b := make([]byte, 2+rnd.IntN(9))
		for j := range b {
			b[j] = "etaoinshrdlucmfwypvbgk"[rnd.IntN(1+rnd.IntN(22))]
		}
		words[i] = string(b)
	}
	var out bytes.Buffer
	for out.Len() < n {
		fmt.Fprintf(&out, `{"id":%d,"content":"`, out.Len())
		for end := out.Len() + 17000; out.Len() < end; {
			out.WriteString(words[rnd.IntN(1+rnd.IntN(len(words)))])
			out.WriteByte(' ')
		}
		out.WriteString("\"}\n")
	}
	return out.Bytes()
}

func benchMap(b *testing.B, in []byte, size int) {
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		worker := func() func(*Block) {
			return func(bl *Block) {
				count := 0
				for l := range bl.Lines() {
					count += len(l.Data)
				}
				bl.Value = count
			}
		}
		err := Map(context.Background(), []Source{source("in", bytes.NewReader(in))}, Options{}, worker, func(bl *Block) error {
			n += bl.Value.(int)
			return nil
		})
		if err != nil || n == 0 {
			b.Fatal(n, err)
		}
	}
}

func framesOf(b *testing.B, text []byte) []byte {
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{Format: Zstd})
	for _, l := range bytes.SplitAfter(text, newline) {
		w.Write(l)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

func BenchmarkMapPlain(b *testing.B) {
	text := prose(64 << 20)
	benchMap(b, text, len(text))
}

func BenchmarkMapZstd(b *testing.B) {
	text := prose(64 << 20)
	benchMap(b, zstdOf(b, text), len(text))
}

func BenchmarkMapFrames(b *testing.B) {
	text := prose(64 << 20)
	benchMap(b, framesOf(b, text), len(text))
}

func BenchmarkMapTiny(b *testing.B) {
	text := []byte("{\"id\":1}\n{\"id\":2}\n")
	benchMap(b, text, len(text))
}

func BenchmarkReader(b *testing.B) {
	text := prose(16 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(text), "in", Options{})
		for {
			if _, err := r.Read(); err != nil {
				break
			}
		}
	}
}

func benchWriter(b *testing.B, o WriterOptions) {
	text := prose(64 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(io.Discard, o)
		for rest := text; len(rest) > 0; {
			n := min(len(rest), 512<<10)
			w.Write(rest[:n])
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriterZstd(b *testing.B)  { benchWriter(b, WriterOptions{Format: Zstd}) }
func BenchmarkWriterPlain(b *testing.B) { benchWriter(b, WriterOptions{}) }
