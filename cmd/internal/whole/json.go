package whole

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// beginsDocument reports whether a file that begins with a line, and what is
// known of the rest, is one JSON value and not a value a line: one that goes on
// after its first line, an array alone, or the results of a batch in one object.
func beginsDocument(first, rest []byte) bool {
	if first = bytes.TrimSpace(first); len(first) == 0 || first[0] != '[' && first[0] != '{' {
		return false
	}
	var d jsonscan.Doc
	cut := d.Scan(first) != nil
	alone := len(bytes.TrimSpace(rest)) == 0
	if first[0] == '[' {
		return cut || alone
	}
	return string(first) == "{" || (cut || alone) && response.Batch(d.Root()).Exists()
}

// elements is a value on one line, or the elements of an array, or the results of
// a batch, on a line each; but the chunks of a stream are one answer. Of what was
// cut or damaged the whole elements before that are lines, and the error tells
// of the rest; broken is why the bytes end, nil when they just do. A single value
// that is no JSON stays one bad line.
func (a adapter) elements(whole []byte, broken error) (lines []byte, err error) {
	oneLine := unwrap(bytes.TrimPrefix(whole, []byte("\ufeff")))
	if len(bytes.TrimSpace(oneLine)) == 0 {
		return nil, causeOf(broken)
	}
	var d jsonscan.Doc
	fault := faultOf(d.Scan(oneLine))
	list := d.Root()
	if list.Kind() != jsonscan.Array {
		list = response.Batch(list)
	}
	cut := fault != nil && fault.Offset >= len(oneLine)
	switch {
	case broken != nil || fault == nil:
	case cut:
		broken = fmt.Errorf("the JSON is cut after %d bytes", len(whole))
	case list.Exists():
		broken = fault
	}
	switch {
	case !list.Exists() && broken == nil:
		return oneLine, nil
	case fault == nil && response.IsChunks(list):
		line := jsonscan.AppendString([]byte(`{"id":`), a.id())
		lines = append(append(append(line, `,"response":`...), oneLine...), "}\n"...)
	default:
		lines = wholeElements(list, fault != nil)
	}
	return lines, causeOf(broken)
}

// unwrap puts JSON on one line: line ends in it stand between tokens only.
func unwrap(whole []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, whole)
}

// faultOf is why bytes are no JSON, nil when strings that are no UTF-8 are all
// there is: that is a matter of each element.
func faultOf(err error) *jsonscan.SyntaxError {
	if fault, ok := err.(*jsonscan.SyntaxError); ok && !fault.UTF8 {
		return fault
	}
	return nil
}

// wholeElements are the elements of a list, on a line each. Of a damaged list the
// last ones may be in part.
func wholeElements(list jsonscan.Value, damaged bool) (lines []byte) {
	for _, e := range list.Elements() {
		if raw := e.Raw(); !damaged || e.Kind() > jsonscan.String && jsonscan.Valid(raw) {
			lines = append(append(lines, raw...), '\n')
		}
	}
	return lines
}

// causeOf is an error without the file's name, which the reader of lines adds.
func causeOf(err error) error {
	var damage *jsonl.DamageError
	if errors.As(err, &damage) {
		return fmt.Errorf("%s: %w", damage.Kind, damage.Err)
	}
	return err
}

// failing is the end of an input that was not read to its end; EOF without an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}
