package whole

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// Choice is the value of --from.
func Choice() *cmdline.Choice { return cmdline.NewChoice("auto", "jsonl", "json", "sse", "chunks") }

// Sources are the inputs of a session as lines: what is one stream or one value
// a file is read whole and becomes the line, or the lines, of an archive. from
// is the word of --from.
func Sources(s *cmdline.Session, from string) []jsonl.Source {
	inputs := s.Inputs()
	if from == "jsonl" {
		return inputs
	}
	for i, input := range inputs {
		a := adapter{Source: input, from: from, options: s.Options()}
		inputs[i].Open = a.open
	}
	return inputs
}

// adapter reads one input as lines.
type adapter struct {
	jsonl.Source
	from    string
	options jsonl.Options
}

func (a adapter) open() (io.ReadCloser, error) {
	rc, err := a.Open()
	if err != nil {
		return nil, err
	}
	from := a.from
	if from == "auto" {
		var head []byte
		if rc, head, err = peek(rc); err != nil {
			return nil, err
		}
		from = a.kindOf(head)
	}
	if from == "jsonl" {
		return rc, nil
	}
	defer rc.Close()
	whole, err := a.readAll(rc)
	if from == "json" {
		lines, err := a.elements(whole, err)
		return io.NopCloser(io.MultiReader(bytes.NewReader(lines), failing{err})), nil
	}
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(a.line(whole))), nil
}

// peek looks at the beginning of an input. A file is left as it is, so that
// it is still known for one.
func peek(rc io.ReadCloser) (io.ReadCloser, []byte, error) {
	const enough = 256 << 10 // a whole block of zstd
	if f, ok := rc.(*os.File); ok {
		head := make([]byte, enough)
		if n, err := f.ReadAt(head, 0); err == nil || err == io.EOF {
			return f, head[:n], nil
		}
	}
	r := bufio.NewReaderSize(rc, enough)
	if _, err := r.Peek(1); err != nil && err != io.EOF {
		rc.Close()
		return nil, nil, err
	}
	head, _ := r.Peek(r.Buffered())
	return relay(r), head, nil
}

// relay reads r in the background, so that closing ends a Read that waits for a
// pipe: after a failed write nobody wants to wait for the producer.
func relay(r io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}

// kindOf is what a file is that begins with head, compressed or not.
func (a adapter) kindOf(head []byte) string {
	text := make([]byte, 16<<10)
	n, _ := io.ReadFull(jsonl.Decompress(bytes.NewReader(head), a.Name, a.options), text)
	text = bytes.TrimLeft(bytes.TrimPrefix(text[:n], []byte("\ufeff")), "\r\n\t ")
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case beginsStream(text):
		return "sse"
	case beginsDocument(first, rest):
		return "json"
	case beginsChunks(first, rest):
		return "chunks"
	}
	return "jsonl"
}

// beginsChunks reports whether two lines are chunks of one stream and not answers
// of their own.
func beginsChunks(first, rest []byte) bool {
	second, _, whole := bytes.Cut(bytes.TrimLeft(rest, "\r\n\t "), []byte("\n"))
	var chunk, next jsonscan.Doc
	return whole && chunk.Scan(bytes.TrimSpace(first)) == nil && next.Scan(bytes.TrimSpace(second)) == nil &&
		response.Continues(chunk.Root(), next.Root())
}

// beginsStream reports whether a text begins like an event stream.
func beginsStream(text []byte) bool {
	for _, field := range [...]string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(text, []byte(field)) {
			return true
		}
	}
	return false
}

// Explain says why a line is no JSON.
func Explain(line []byte, err error) string {
	if beginsStream(line) {
		return err.Error() + "; it looks like an event stream, which --from sse reads"
	}
	return err.Error()
}

func (a adapter) readAll(r io.Reader) ([]byte, error) {
	limit := a.options.MaxLineBytes
	whole, err := io.ReadAll(io.LimitReader(jsonl.Decompress(r, a.Name, a.options), limit+1))
	if err == nil && int64(len(whole)) > limit {
		err = errors.New(cmdline.Clean(a.Name, 200) + ": longer than --max-line-bytes")
	}
	return whole, err
}

// line makes a line of an archive of a whole stream.
func (a adapter) line(whole []byte) []byte {
	if len(bytes.TrimSpace(whole)) == 0 {
		return nil
	}
	line := jsonscan.AppendString([]byte(`{"id":`), a.id())
	if utf8.Valid(whole) {
		line = jsonscan.AppendString(append(line, `,"response_text":`...), whole)
		return append(line, '}')
	}
	line = base64.StdEncoding.AppendEncode(append(line, `,"response":{"base64":"`...), whole)
	return append(line, `"}}`...)
}

// id is a file's base name without its last extension, and without that of its
// compression. Standard input has none.
func (a adapter) id() string {
	if a.Name == "<stdin>" {
		return ""
	}
	name := filepath.Base(a.Name)
	for _, packed := range [...]string{".zst", ".gz"} {
		name = strings.TrimSuffix(name, packed)
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}
