package jsonscan

import "iter"

// Kind is the kind of a JSON value.
type Kind uint8

// None is the kind of a value that is not there.
const (
	None Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

// SyntaxError says why and where a line is not JSON.
type SyntaxError struct {
	Offset int    // of the offending byte in the line
	Cause  string // lower case, no full stop: `control byte 0x0a in string`
	UTF8   bool   // the only fault: a string that is not valid UTF-8
}

func (e *SyntaxError) Error() string { panic("todo") }

// Doc holds the spans of one line.
type Doc struct{}

// Scan checks line and finds its spans. The error is a *SyntaxError.
func (d *Doc) Scan(line []byte) error { panic("todo") }

// Root is the line's value.
func (d *Doc) Root() Value { panic("todo") }

// Duplicate is the path, such as "choices.message.content", of the first
// duplicate key that a Get since the last Scan met; "" when there was none.
func (d *Doc) Duplicate() string { panic("todo") }

// Value is one value of a scanned line. The zero Value is of kind None, and so
// is whatever is asked of it.
type Value struct {
	doc *Doc
	at  int32
}

func (v Value) Kind() Kind   { panic("todo") }
func (v Value) Exists() bool { panic("todo") } // the kind is not None

// Raw is the value's bytes in the line, quotes included; nil for None.
func (v Value) Raw() []byte { panic("todo") }

// Offset is where Raw begins in the line.
func (v Value) Offset() int { panic("todo") }

// Get follows keys from object to object. Keys are compared by their decoded
// value, case-sensitive. Of a duplicate key the first is returned and the path
// is kept for [Doc.Duplicate].
func (v Value) Get(keys ...string) Value { panic("todo") }

// Index is the n-th element of an array, from 0.
func (v Value) Index(n int) Value { panic("todo") }

// Len is the number of elements or members; 0 for scalars.
func (v Value) Len() int { panic("todo") }

// Elements ranges over an array's elements.
func (v Value) Elements() iter.Seq2[int, Value] { panic("todo") }

// Members ranges over an object's members in order, duplicates included.
func (v Value) Members() iter.Seq2[Text, Value] { panic("todo") }

// Text is the inside of a string; empty for every other kind.
func (v Value) Text() Text { panic("todo") }

// Int is the value of an integer literal that fits; ok is false otherwise.
func (v Value) Int() (n int64, ok bool) { panic("todo") }

// Text is the inside of a JSON string as it stands in a line: escaped, without
// the quotes. Offsets into it are offsets into Raw and stand between escapes.
type Text struct {
	Raw   []byte
	Flags Flags
}

// Flags tell what a Text may hold, so that most texts are searched as plain bytes.
type Flags uint8

const (
	Escaped    Flags = 1 << iota // has a backslash
	HidesASCII                   // has \/ or \u00XX: a marker may be spelled in escapes
	HidesOther                   // has another \uXXXX
	NonASCII                     // has a byte of 0x80 or more
)

// Find is where marker, given decoded, first stands at or after from, in any
// spelling; start is -1 when it does not. end-start may exceed len(marker).
func (t Text) Find(marker string, from int) (start, end int) { panic("todo") }

// Match is where marker ends when it stands right at offset at, else -1.
func (t Text) Match(marker string, at int) int { panic("todo") }

// SkipSpace is the first offset at or after from that is not JSON white space
// (space, tab, newline, return), written raw or escaped.
func (t Text) SkipSpace(from int) int { panic("todo") }

// TrimSpace drops the white space at both ends.
func (t Text) TrimSpace() Text { panic("todo") }

// Len is the length of Raw.
func (t Text) Len() int { return len(t.Raw) }

// Slice is the part from start to end.
func (t Text) Slice(start, end int) Text { return Text{t.Raw[start:end], t.Flags} }

// Equal reports whether the decoded text is s.
func (t Text) Equal(s string) bool { panic("todo") }

// AppendTo appends the decoded text to dst. A lone surrogate becomes its three
// generalised UTF-8 bytes (WTF-8), so that different texts stay different.
func (t Text) AppendTo(dst []byte) []byte { panic("todo") }

// String is the decoded text, as AppendTo makes it.
func (t Text) String() string { panic("todo") }

// AppendQuoted appends the text as a JSON string: a quote, Raw, a quote.
func (t Text) AppendQuoted(dst []byte) []byte {
	return append(append(append(dst, '"'), t.Raw...), '"')
}

// Join is the text of a followed by b; a surrogate pair may be split between them.
// It may append to a.Raw.
func (t Text) Join(b Text) Text { return Text{append(t.Raw, b.Raw...), t.Flags | b.Flags} }

// Quote is s as a Text: the inverse of String. See AppendString for what is escaped.
func Quote(s string) Text { panic("todo") }

// AppendString appends s as a JSON string. Escaped are the quote, the
// backslash and bytes below 0x20 only; a WTF-8 surrogate becomes \udXXX, any
// other invalid byte U+FFFD.
func AppendString[S string | []byte](dst []byte, s S) []byte { panic("todo") }

// Valid reports whether line is one JSON value, as Scan does, without spans.
func Valid(line []byte) bool { panic("todo") }
