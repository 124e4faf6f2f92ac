package reasoning

import "strings"

// Text is the text to split, in whatever form the caller holds it (plain bytes,
// or the escaped inside of a JSON string). Offsets are the form's own.
// A pointer to a jsonscan.Text has these methods; [Plain] is the form for plain strings.
type Text interface {
	Len() int
	// Find is where marker first stands at or after from; start is -1 when it does not.
	Find(marker string, from int) (start, end int)
	// Match is where marker ends when it stands right at offset at, else -1.
	Match(marker string, at int) int
	// SkipSpace is the first offset at or after from that is not white space
	// (space, tab, newline, return).
	SkipSpace(from int) int
	// MatchBefore is where s starts when it ends right at offset to, else -1.
	MatchBefore(s string, to int) int
	// SpaceBefore is where the white space character starts that ends at offset
	// to; to itself when another one does.
	SpaceBefore(to int) int
}

// Plain is a Text of decoded bytes.
type Plain string

// Len is the number of bytes.
func (p Plain) Len() int { return len(p) }

// Find is the first occurrence of marker at or after from.
func (p Plain) Find(marker string, from int) (start, end int) {
	i := strings.Index(string(p[from:]), marker)
	if i < 0 {
		return -1, -1
	}
	return from + i, from + i + len(marker)
}

// Match is where marker ends when it stands at offset at, else -1.
func (p Plain) Match(marker string, at int) int {
	if strings.HasPrefix(string(p[at:]), marker) {
		return at + len(marker)
	}
	return -1
}

// MatchBefore is where s starts when it ends right at offset to, else -1.
func (p Plain) MatchBefore(s string, to int) int {
	if strings.HasSuffix(string(p[:to]), s) {
		return to - len(s)
	}
	return -1
}

// SkipSpace is the first offset at or after from that is not JSON white space.
func (p Plain) SkipSpace(from int) int {
	for from < len(p) && strings.IndexByte(" \t\n\r", p[from]) >= 0 {
		from++
	}
	return from
}

// SpaceBefore is to less the JSON white space character before it.
func (p Plain) SpaceBefore(to int) int {
	if to > 0 && strings.IndexByte(" \t\n\r", p[to-1]) >= 0 {
		return to - 1
	}
	return to
}

// find is t.Find for markers that may be empty: an empty one stands nowhere.
func find(t Text, marker string, from int) (start, end int) {
	if marker == "" {
		return -1, -1
	}
	return t.Find(marker, from)
}

// match is t.Match for markers that may be empty.
func match(t Text, marker string, at int) int {
	if marker == "" {
		return -1
	}
	return t.Match(marker, at)
}

// matchAny is where the one of markers ends that stands at offset at, -1 for none.
func matchAny(t Text, markers []string, at int) int {
	for _, marker := range markers {
		if end := match(t, marker, at); end >= 0 {
			return end
		}
	}
	return -1
}

// newline is where a line feed ends that stands at offset at, else at.
func newline(t Text, at int) int { return max(at, match(t, "\n", at)) }
