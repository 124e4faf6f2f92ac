package cmdline

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// Map is [Session.MapSources] of the inputs.
func (s *Session) Map(ctx context.Context, newWorker func() func(*jsonl.Block), sink func(*jsonl.Block) error) error {
	return s.MapSources(ctx, s.Inputs(), newWorker, sink)
}

// MapSources is [jsonl.Map]. Like checking the files before, it refuses JSON over
// many lines, which shows in a pipe only when it is read.
func (s *Session) MapSources(ctx context.Context, sources []jsonl.Source, newWorker func() func(*jsonl.Block), sink func(*jsonl.Block) error) error {
	if s.takesDocuments() {
		return jsonl.Map(ctx, sources, s.Options(), newWorker, sink)
	}
	var last jsonl.Pos
	return jsonl.Map(ctx, sources, s.Options(), newWorker, func(b *jsonl.Block) error {
		at, first := firstLines(b)
		if at.Line > 0 && (at.File != last.File || at.Line <= last.Line) {
			if err := s.spread(at.File, first...); err != nil {
				return err
			}
		}
		last = at
		return sink(b)
	})
}

// takesDocuments reports whether inputs may be JSON over many lines.
func (s *Session) takesDocuments() bool {
	return s.shared&Documents != 0 || s.fromFlag() && s.Generic("from").(*Choice).String() == "json"
}

// fromFlag reports whether the command has a flag --from that takes json.
func (s *Session) fromFlag() bool {
	from, ok := s.Generic("from").(*Choice)
	return ok && slices.Contains(from.words, "json")
}

// spread is Spread with the advice that fits the command.
func (s *Session) spread(name string, lines ...[]byte) error {
	err := Spread(name, lines...)
	if h := (*hinted)(nil); errors.As(err, &h) && s.fromFlag() {
		return WithHint(h.error, "--from json reads it, an element or value at a time")
	}
	return err
}

// firstLines are the first two lines of a block, and where they stand.
func firstLines(b *jsonl.Block) (at jsonl.Pos, lines [][]byte) {
	for l := range b.Lines() {
		if len(lines) == 0 {
			at = l.Pos
		}
		if lines = append(lines, l.Data); len(lines) == 2 {
			break
		}
	}
	return at, lines
}

// Spread refuses, as wrong usage, an input whose first lines, at most two, begin
// JSON that goes over many lines. Told line by line it would be bad lines without
// end, and some that look good.
func Spread(name string, lines ...[]byte) error {
	var first, next []byte
	if len(lines) > 0 {
		first = bytes.TrimSpace(lines[0])
	}
	if len(lines) > 1 {
		next = bytes.TrimSpace(lines[1])
	}
	name = Clean(name, messageBytes)
	switch {
	case beginsArray(first, next):
		return WithHint(Usagef("%s is a JSON array over many lines, not one value a line", name), "shard --from json FILE makes a line of each element, byte for byte")
	case string(first) == "{" && bytes.HasPrefix(next, []byte(`"`)):
		return WithHint(Usagef("%s is JSON over many lines, not one value a line", name), "shard --from json FILE makes a line of each value, byte for byte")
	}
	return nil
}

// beginsArray tells the beginning of an array from a broken line among others:
// that does not go on.
func beginsArray(first, next []byte) bool {
	inner, ok := bytes.CutPrefix(first, []byte("["))
	if !ok {
		return false
	}
	inner = bytes.TrimSpace(inner)
	if len(inner) == 0 {
		return next == nil || bytes.ContainsAny(next[:1], `{["`)
	}
	goesOn := bytes.ContainsAny(inner[len(inner)-1:], `,{[`) || bytes.HasPrefix(next, []byte(","))
	return inner[0] == '{' && goesOn
}

// spreadFile looks at the beginning of a regular file, from where it stands.
func (s *Session) spreadFile(name string, f *os.File) error {
	if s.takesDocuments() {
		return nil
	}
	const enough, longest = 256 << 10, 64 << 10
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil
	}
	r := jsonl.NewReader(io.NewSectionReader(f, at, enough), name, jsonl.Options{MaxLineBytes: longest, Workers: 1})
	defer r.Close()
	var lines [][]byte
	for range 2 {
		line, err := r.Read() // damage is told when it is reached
		if err != nil || line.TooLong {
			break
		}
		lines = append(lines, bytes.Clone(line.Data))
	}
	return s.spread(name, lines...)
}
