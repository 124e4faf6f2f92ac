package check

import (
	"bytes"
	"hash/maphash"
)

// loopFinder finds texts that go round in a loop. It looks in two ways, both
// linear: for stretches that repeat with one period, and, where samples of the
// text recur often, for stretches made of a few sentences.
//
// Bytes are counted as they stand in JSON. Everything is a floor that ordinary
// tables, code, rulers and number grids stay below.
type loopFinder struct {
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
	leastText   = 600     // shorter texts are not looked at
	leastLoop   = 600     // bytes of a loop with words
	leastDigits = 4 << 10 // … of one with digits or signs only: grids, rulers
)

// reaches are how far on a sample is looked for, and how far apart samples are:
// sentences and paragraphs, then pages.
var reaches = [...]int{1 << 10, 8 << 10}

// find returns the first loop it meets.
func (l *loopFinder) find(text []byte) (found loop, ok bool) {
	if len(text) < leastText {
		return loop{}, false
	}
	if found, ok := endLoop(text); ok {
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
			found, ok := extend(text, sample, period)
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
func endLoop(text []byte) (loop, bool) {
	last := len(text) - 2*sampled
	last += rarest(text[last : last+sampled])
	at := max(0, last-reaches[0])
	at += bytes.Index(text[at:], text[last:last+sampled])
	for at < last { // until the one before the last
		next := at + recurs(text, at, reaches[0])
		if next == last {
			return extend(text, at, last-at)
		}
		at = next
	}
	return loop{}, false
}

// extend makes the most of a repetition: text[x] equals text[x+period] all over it.
func extend(text []byte, at, period int) (loop, bool) {
	start, end := at, at+period
	for start > 0 && text[start-1] == text[start-1+period] {
		start--
	}
	for end < len(text) && text[end] == text[end-period] {
		end++
	}
	l := loop{start, end - start, (end - start) / period, text[start : start+period]}
	return l, l.isBad(len(text))
}

// isBad tells loops from tables, rulers and the like.
func (l loop) isBad(of int) bool {
	letters, digits := 0, 0
	for i := 0; i < len(l.unit); i++ {
		switch c := l.unit[i]; {
		case c == '\\': // a line end or tab is no letter
			i++
		case c >= 0x80 || 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		case '0' <= c && c <= '9':
			digits++
		}
	}
	switch {
	case letters >= 3 && len(l.unit) >= 8:
		return l.length >= leastLoop && l.times >= 8 || l.length >= 2*leastLoop && l.times >= 4
	case l.times < 16:
		return false
	case letters > 0, digits == 0:
		return l.length >= leastDigits || l.length >= leastLoop && 2*l.length >= of
	}
	return l.length >= leastDigits
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
