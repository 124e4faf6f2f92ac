package response

import (
	"bytes"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// events reads a text/event-stream as browsers do (WHATWG HTML §9.2.6), and
// more kindly: an event at the end of the bytes counts without its blank line,
// data that is whole JSON is an event when no blank line stands before the next,
// a bare object on a line is data, and llama.cpp's "error: {…}" is an error.
type events struct {
	rest []byte
	feed int // index in rest of the next line feed, -1 when it is to be looked for
}

// event is one event.
type event struct {
	name  string // "error" or ""; other names decide nothing
	data  []byte
	lines int  // of data
	ended bool // what came after shows that data is all there
}

func newEvents(raw []byte) events { return events{rest: raw, feed: -1} }

// next is the next event that has data; ok is false at the end.
func (e *events) next() (ev event, ok bool) {
	for len(e.rest) > 0 {
		before := *e
		line := e.line()
		if len(line) == 0 {
			if ev.lines > 0 {
				ev.ended = true
				return ev, true
			}
			ev = event{}
			continue
		}
		name, value := splitField(line)
		switch {
		case name == "event" && string(value) == "error":
			ev.name = "error"
		case name == "error":
			ev.name, name = "error", "data"
		}
		if name != "data" {
			continue
		}
		if ev.lines == 1 && whole(ev.data) {
			*e = before
			ev.ended = true
			return ev, true
		}
		ev.add(value)
	}
	return ev, ev.lines > 0
}

// add adds a line to an event's data, which is copied when it has several.
func (ev *event) add(line []byte) {
	if ev.lines++; ev.lines == 1 {
		ev.data = line[:len(line):len(line)]
		return
	}
	ev.data = append(append(ev.data, '\n'), line...)
}

// whole reports whether a line of data needs no further one.
func whole(data []byte) bool {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] == '{' && data[len(data)-1] != '}' {
		return false
	}
	return string(data) == "[DONE]" || jsonscan.Valid(data)
}

// line takes the next line, which ends in CRLF, LF or CR.
func (e *events) line() []byte {
	if e.feed < 0 {
		if e.feed = bytes.IndexByte(e.rest, '\n'); e.feed < 0 {
			e.feed = len(e.rest)
		}
	}
	end, next := e.feed, e.feed+1
	if cr := bytes.IndexByte(e.rest[:end], '\r'); cr >= 0 {
		end, next = cr, cr+1
		if next == e.feed {
			next++
		}
	}
	line := e.rest[:end]
	next = min(next, len(e.rest))
	e.rest = e.rest[next:]
	if e.feed -= next; e.feed < 0 || e.feed > len(e.rest) {
		e.feed = -1
	}
	return line
}

// splitField splits a line at its colon; one space after it belongs to neither.
// A comment has the name "".
func splitField(line []byte) (name string, value []byte) {
	if line[0] == '{' {
		return "data", line
	}
	before, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	for _, known := range [...]string{"data", "event", "error", "id", "retry"} {
		if string(before) == known {
			return known, value
		}
	}
	return "", value
}

// looksLikeEvents reports whether bytes are an event stream: by their lines, or
// by what the server called them.
func looksLikeEvents(raw, contentType []byte) bool {
	first := bytes.TrimLeft(raw, "\r\n\t ")
	if len(first) > 0 && (first[0] == '{' || first[0] == '[') {
		return false
	}
	if kind := "text/event-stream"; len(contentType) >= len(kind) && strings.EqualFold(string(contentType[:len(kind)]), kind) {
		return true
	}
	for _, start := range [...]string{":", "data:", "event:", "error:", "id:", "retry:"} {
		if bytes.HasPrefix(first, []byte(start)) {
			return true
		}
	}
	return bytes.Contains(raw, []byte("\ndata:")) || bytes.Contains(raw, []byte("\rdata:"))
}
