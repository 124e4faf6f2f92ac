package jsonscan

import (
	"math"
	"unicode/utf8"
)

// maxDepth is how deep arrays and objects may nest, as in encoding/json.
const maxDepth = 10000

// Doc holds the spans of one line: 16 bytes for each value and key.
type Doc struct {
	line      []byte
	nodes     []node
	open      []frame // the containers around the value that is being scanned
	bare      bool    // check only, keep no nodes
	fault     *SyntaxError
	badUTF8   int    // first byte of a string that is not UTF-8, -1 for none
	duplicate string // see Duplicate
}

// node is one value or key. A container's children follow it, an object's as
// key, value, key, value; next is the node after the last of them.
type node struct {
	start, end uint32
	next       uint32
	kind       Kind
	flags      Flags
}

// frame is a container that is not closed yet.
type frame struct {
	node   uint32
	closer byte // ']' or '}'
}

// Scan checks line and finds its spans. The error is a *SyntaxError.
//
// After an error the values that stood whole before the fault can be read, to
// say whose line is broken; when its UTF8 is set, all of them.
func (d *Doc) Scan(line []byte) error {
	d.line, d.nodes, d.open = line, d.nodes[:0], d.open[:0]
	d.fault, d.badUTF8, d.duplicate = nil, -1, ""
	if uint64(len(line)) > math.MaxUint32 {
		return &SyntaxError{Offset: len(line), Cause: "line longer than 4 GiB"}
	}
	d.document()
	if d.fault != nil {
		d.closeOpen()
		return d.fault
	}
	if d.badUTF8 >= 0 {
		return &SyntaxError{Offset: d.badUTF8, Cause: "invalid UTF-8 in string", UTF8: true}
	}
	return nil
}

// Valid reports whether line is one JSON value, as Scan does, without spans.
func Valid(line []byte) bool {
	d := Doc{line: line, bare: true, badUTF8: -1}
	d.document()
	return d.fault == nil && d.badUTF8 < 0
}

// document scans the one value of the line. An index is -1 after a fault.
func (d *Doc) document() {
	for i := d.space(0); i >= 0; {
		c := d.at(i)
		if c != '{' && c != '[' {
			i = d.after(d.scalar(i, c))
			continue
		}
		first := d.enter(i, c)
		if first >= 0 && d.at(first) == c+2 { // '{'+2 is '}', '['+2 is ']'
			i = d.after(d.leave(first))
		} else if c == '{' {
			i = d.key(first)
		} else {
			i = first
		}
	}
}

// after goes from the end of a value to where the next one must begin, closing
// containers on its way. It is -1 at the end of the line, too.
func (d *Doc) after(i int) int {
	for i >= 0 {
		i = d.space(i)
		if len(d.open) == 0 {
			return d.end(i)
		}
		closer := d.open[len(d.open)-1].closer
		switch c := d.at(i); {
		case c == ',' && closer == '}':
			return d.key(d.space(i + 1))
		case c == ',':
			return d.space(i + 1)
		case c == closer:
			i = d.leave(i)
		default:
			return d.unexpected(i, "',' or '"+string(closer)+"'")
		}
	}
	return -1
}

// end checks that nothing follows the line's value.
func (d *Doc) end(i int) int {
	if i < len(d.line) {
		d.unexpected(i, "the end of the line")
	}
	return -1
}

// enter opens the container at i and returns where its inside begins.
func (d *Doc) enter(i int, c byte) int {
	if len(d.open) == maxDepth {
		return d.fail(i, "nested deeper than 10000")
	}
	kind := Array
	if c == '{' {
		kind = Object
	}
	d.open = append(d.open, frame{uint32(len(d.nodes)), c + 2})
	d.add(kind, i, i, 0)
	return d.space(i + 1)
}

// leave closes the innermost container with the bracket at i.
func (d *Doc) leave(i int) int {
	last := len(d.open) - 1
	if !d.bare {
		n := &d.nodes[d.open[last].node]
		n.end, n.next = uint32(i+1), uint32(len(d.nodes))
	}
	d.open = d.open[:last]
	return i + 1
}

// key scans a key and its colon and returns where the value must begin.
func (d *Doc) key(i int) int {
	if i < 0 {
		return -1
	}
	if d.at(i) != '"' {
		return d.unexpected(i, "a key")
	}
	if i = d.str(i); i < 0 {
		return -1
	}
	if i = d.space(i); d.at(i) != ':' {
		return d.unexpected(i, "':'")
	}
	return d.space(i + 1)
}

// scalar scans the string, number or word that begins with c at i.
func (d *Doc) scalar(i int, c byte) int {
	switch c {
	case '"':
		return d.str(i)
	case 't':
		return d.word(i, "true", True)
	case 'f':
		return d.word(i, "false", False)
	case 'n':
		return d.word(i, "null", Null)
	}
	return d.number(i)
}

// str scans the string whose opening quote is at i.
func (d *Doc) str(i int) int {
	end, flags := scanString(d.line, i+1)
	if end < 0 {
		return d.stringFault(i + 1)
	}
	if flags&NonASCII != 0 && d.badUTF8 < 0 && !utf8.Valid(d.line[i+1:end]) {
		d.badUTF8 = i + 1 + firstInvalid(d.line[i+1:end])
	}
	d.add(String, i, end+1, flags)
	return end + 1
}

func (d *Doc) word(i int, word string, kind Kind) int {
	end := i + len(word)
	if end > len(d.line) || string(d.line[i:end]) != word {
		return d.wordFault(i)
	}
	d.add(kind, i, end, 0)
	return end
}

// number scans -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func (d *Doc) number(start int) int {
	i := start
	if d.at(i) == '-' {
		i++
	}
	whole := i
	if i = d.digits(i); i == whole {
		return d.wordFault(start)
	}
	if d.line[whole] == '0' && i > whole+1 {
		return d.fail(whole, "number with a leading zero")
	}
	if d.at(i) == '.' {
		fraction := i + 1
		if i = d.digits(fraction); i == fraction {
			return d.unexpected(i, "a digit")
		}
	}
	if d.at(i)|0x20 == 'e' {
		i++
		if c := d.at(i); c == '+' || c == '-' {
			i++
		}
		exponent := i
		if i = d.digits(exponent); i == exponent {
			return d.unexpected(i, "a digit")
		}
	}
	d.add(Number, start, i, 0)
	return i
}

func (d *Doc) digits(i int) int {
	b := d.line
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// space is the first index at or after i that is not white space.
func (d *Doc) space(i int) int {
	b := d.line
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// at is the byte at i, 0 at the end of the line.
func (d *Doc) at(i int) byte {
	if i < len(d.line) {
		return d.line[i]
	}
	return 0
}

func (d *Doc) add(kind Kind, start, end int, flags Flags) {
	if !d.bare {
		d.nodes = append(d.nodes, node{uint32(start), uint32(end), uint32(len(d.nodes) + 1), kind, flags})
	}
}
