package check

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"unicode"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// loopFinder finds texts that go round in a loop. It looks in two ways, both
// linear: for stretches that repeat with one period, and, where samples of the
// text recur often, for stretches made of a few sentences.
//
// It searches bytes as they stand in JSON and counts characters. Everything is a
// floor that ordinary tables, code, rulers and number grids stay below.
type loopFinder struct {
	least     int // characters of a loop with words, leastLoop for 0
	seed      maphash.Seed
	sentences map[uint64]int // how often each was met in the stretch
}

// loop is what was found.
type loop struct {
	at, length, times int
	unit              []byte // what is repeated
}

const (
	sampled     = 48      // bytes of a sample that is looked for again
	leastLoop   = 600     // characters of a loop with words, or of nothing but white space
	leastWhole  = 256     // … of one that is half of the text or more
	leastDigits = 4 << 10 // … of one with digits or signs mostly: grids, rulers, tables
)

// reaches are how far on a sample is looked for, and how far apart samples are:
// sentences and paragraphs, then pages.
var reaches = [...]int{1 << 10, 8 << 10}

// find returns the first loop it meets.
func (l *loopFinder) find(text []byte) (found loop, ok bool) {
	if len(text) < min(l.floor(), leastWhole) {
		return loop{}, false
	}
	if found, ok := l.endLoop(text); ok {
		return found, true
	}
	again := 0
	for i, reach := range reaches {
		if i > 0 && len(text) < reach {
			break
		}
		for at := 0; at+2*sampled < len(text); at += reach {
			sample := at + rarest(text[at:at+sampled])
			period := recurs(text, sample, reach)
			if period == 0 {
				continue
			}
			again++
			found, ok := l.extend(text, sample, period)
			if ok {
				return found, true
			}
			at = max(at, found.at+found.length-reach)
		}
	}
	const often = 4
	if again < often {
		return loop{}, false
	}
	return l.ofSentences(text)
}

// recurs is the distance to where the sample at stands next, 0 when it does not.
func recurs(text []byte, at, reach int) int {
	end := min(len(text), at+sampled+reach)
	return 1 + bytes.Index(text[at+1:end], text[at:at+sampled])
}

// rarest is where the byte stands that is rarest in texts: a search begins by
// looking for the first byte alone, which is as fast as memory where it is rare.
func rarest(text []byte) (at int) {
	best := 0
	for i, c := range text {
		if r := rarity(c); r > best {
			at, best = i, r
		}
	}
	return at
}

// rarity orders bytes by how rare they are in prose, code and CJK text, roughly.
func rarity(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return 3
	case 'a' <= c && c <= 'z':
		return 1
	case c == ' ', c == '\\', c >= 0xC0:
		return 0
	}
	return 2
}

// endLoop looks for a loop at the end, where most are: a model that loops
// rarely stops by itself.
func (l *loopFinder) endLoop(text []byte) (loop, bool) {
	last := len(text) - 2*sampled
	last += rarest(text[last : last+sampled])
	at := max(0, last-reaches[0])
	at += bytes.Index(text[at:], text[last:last+sampled])
	for at < last { // until the one before the last
		next := at + recurs(text, at, reaches[0])
		if next == last {
			return l.extend(text, at, last-at)
		}
		at = next
	}
	return loop{}, false
}

// extend makes the most of a repetition: text[x] equals text[x+period] all over it.
func (f *loopFinder) extend(text []byte, at, period int) (loop, bool) {
	start, end := at, at+period
	for start > 0 && text[start-1] == text[start-1+period] {
		start--
	}
	for end < len(text) && text[end] == text[end-period] {
		end++
	}
	start = boundary(text, start)
	for step := period; boundary(text, start+period) != start+period && start+period < end; {
		period += step // the unit ended inside an escape
	}
	if start+period > end {
		return loop{}, false
	}
	times := (end - start) / period
	l := loop{start, times * period, times, text[start : start+period]}
	return l, l.isBad(len(text), f.floor())
}

// boundary is the first offset from at on that stands between escapes.
func boundary(text []byte, at int) int {
	from := max(0, at-len(`\u0000`)+1)
	k := bytes.LastIndexByte(text[from:at], '\\')
	if k < 0 {
		return at
	}
	k += from
	first := k
	for first > 0 && text[first-1] == '\\' {
		first--
	}
	n := len(`\n`)
	if k+1 < len(text) && text[k+1] == 'u' {
		n = len(`\u0000`)
	}
	if (k-first)%2 == 1 || k+n <= at { // the second of two, or an escape that ended
		return at
	}
	return k + n
}

func (l *loopFinder) floor() int { return cmp.Or(l.least, leastLoop) }

// isBad tells loops from tables, rulers and the like; of is the bytes of the text.
func (l loop) isBad(of, least int) bool {
	if l.length < min(least, leastWhole) || l.times < 4 {
		return false
	}
	u := kindsOf(l.unit)
	n := u.all * l.times
	most := 2*l.length >= of
	if most {
		least = min(least, leastWhole) // the rest is too little to be what was asked for
	}
	switch {
	case u.spaces == u.all:
		return n >= least
	case u.letters >= 3 && u.all >= 8 && 2*u.letters >= u.all:
		return n >= least && l.times >= 8 || n >= 2*least
	case l.times < 16:
		return false
	case u.letters >= 2 && u.digits == 0 && u.all <= 16 && 2*u.letters >= u.all:
		return n >= 2*least || n >= least && most
	case u.letters > 0, u.digits == 0:
		return n >= leastDigits || n >= least && most
	}
	return n >= leastDigits
}

// kinds counts characters.
type kinds struct{ all, letters, digits, spaces int }

func kindsOf(raw []byte) (k kinds) {
	for r := range characters(jsonscan.Text{Raw: raw, Flags: anyFlags}) {
		k.all++
		switch {
		case r >= utf8.RuneSelf && unicode.IsLetter(r), 'a' <= r|0x20 && r|0x20 <= 'z':
			k.letters++
		case '0' <= r && r <= '9':
			k.digits++
		case isInvisible(r):
			k.spaces++
		}
	}
	return k
}

const (
	stretch     = 8 << 10 // bytes that are judged together
	leastRepeat = 8       // times that one sentence must stand in a stretch
)

// ofSentences finds a stretch of which sentences that stood there three times
// before make more than half, whatever stands between them.
func (l *loopFinder) ofSentences(text []byte) (loop, bool) {
	if l.sentences == nil {
		l.seed, l.sentences = maphash.MakeSeed(), map[uint64]int{}
	}
	for at := 0; len(text)-at >= stretch/4; at += stretch {
		part := text[at:min(at+stretch, len(text))]
		if unit, times, ok := l.mostOf(part); ok {
			return loop{at, len(part), times, unit}, true
		}
	}
	return loop{}, false
}

func (l *loopFinder) mostOf(part []byte) (worst []byte, times int, ok bool) {
	clear(l.sentences)
	repeated := 0
	for rest := part; len(rest) > 0; {
		var s []byte
		s, rest = cutSentence(rest)
		if !isSentence(s) {
			continue
		}
		h := maphash.Bytes(l.seed, s)
		l.sentences[h]++
		n := l.sentences[h]
		if n > 3 {
			repeated += len(s)
		}
		if n > times {
			worst, times = s, n
		}
	}
	return worst, times, times >= leastRepeat && 2*repeated > len(part)
}

// cutSentence cuts at a full stop, question or exclamation mark, or line end.
func cutSentence(text []byte) (sentence, rest []byte) {
	for i, c := range text {
		switch {
		case c == '.' || c == '!' || c == '?' || c == '\n',
			c == 'n' && i > 0 && text[i-1] == '\\',
			c == "。"[2] && bytes.HasSuffix(text[:i+1], []byte("。")):
			return bytes.TrimLeft(text[:i+1], " "), text[i+1:]
		}
	}
	return bytes.TrimLeft(text, " "), nil
}

// isSentence asks for four words, or as much in scripts without spaces: a line
// of code or of a table may stand often.
func isSentence(s []byte) bool {
	const short = 20
	if len(s) < short {
		return false
	}
	spaces, others := 0, 0
	for i, c := range s {
		switch {
		case c == ' ':
			spaces++
		case c >= 0x80, c == 'u' && i > 0 && s[i-1] == '\\':
			others++
		}
	}
	return spaces >= 3 || others >= 18
}
