package toolcall

import (
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// cursor goes through a text.
type cursor struct {
	jsonscan.Text
	at     int
	absent *[]string // markers that do not come any more, so that nobody looks for them again
}

// find is Find, and remembers what is not there.
func (c *cursor) find(marker string, from int) (start, end int) {
	if slices.Contains(*c.absent, marker) {
		return -1, -1
	}
	if start, end = c.Find(marker, from); start < 0 {
		*c.absent = append(*c.absent, marker)
	}
	return start, end
}

func (c *cursor) space()    { c.at = c.SkipSpace(c.at) }
func (c *cursor) end() bool { return c.at == c.Len() }

// follows reports whether marker stands next.
func (c *cursor) follows(marker string) bool { return c.Match(marker, c.at) >= 0 }

// take passes marker when it stands next.
func (c *cursor) take(marker string) bool {
	end := c.Match(marker, c.at)
	if end < 0 {
		return false
	}
	c.at = end
	return true
}

// upTo takes the text before the next marker.
func (c *cursor) upTo(marker string) (before jsonscan.Text, ok bool) {
	start, _ := c.find(marker, c.at)
	if start < 0 {
		return before, false
	}
	before = c.Slice(c.at, start)
	c.at = start
	return before, true
}

// until takes the text before the next marker, and passes that.
func (c *cursor) until(marker string) (before jsonscan.Text, ok bool) {
	before, ok = c.upTo(marker)
	return before, ok && c.take(marker)
}

// close passes a format's closing marker. At the end of the text none is
// needed: a model may stop there.
func (c *cursor) close(markers []string) bool {
	if len(markers) == 0 {
		return true
	}
	before := c.at
	c.space()
	for _, m := range markers {
		if c.take(m) {
			return true
		}
	}
	if c.end() {
		c.at = before
		return true
	}
	return false
}

// skip is where markup ends that cannot be read: after its closing marker, or
// before the next opening one.
func (c *cursor) skip(f *format, from int) (end int) {
	end = c.Len()
	for _, m := range f.open {
		if start, _ := c.find(m, from); start >= 0 {
			end = min(end, start)
		}
	}
	for _, m := range f.close {
		if start, after := c.find(m, from); start >= 0 && start < end {
			end = after
		}
	}
	return end
}

// value takes the JSON object or array that stands next, whole by its brackets
// and strings; whether it is JSON is not known yet.
func (c *cursor) value() (v jsonscan.Text, ok bool) {
	from, depth, inString := c.at, 0, false
	for at := from; at < c.Len(); {
		r, next := c.Next(at)
		switch {
		case inString && r == '\\' && next < c.Len():
			_, next = c.Next(next)
		case r == '"':
			inString = !inString
		case inString:
		case r == '{', r == '[':
			depth++
		case r == '}', r == ']':
			depth--
		case !betweenStrings(r):
			return v, false // so that hostile markup is not looked through again and again
		}
		at = next
		if depth <= 0 {
			c.at = at
			return c.Slice(from, at), depth == 0 && !inString
		}
	}
	return v, false
}

// betweenStrings reports whether JSON has r outside of strings.
func betweenStrings(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', ',', ':', '+', '-', '.', 'E':
		return true
	}
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z'
}
