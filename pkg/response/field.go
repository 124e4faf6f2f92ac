package response

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// field joins the deltas of one field of one choice. They are joined as they
// stand, escaped, so that a surrogate pair split over two deltas comes out whole.
//
// Some servers send the whole text so far in every delta (SGLang's /generate
// always did, others by mistake). As long as each delta begins with the one
// before it, only the last is kept, with the lengths of all: which of the two
// it was is decided at the end, and memory stays linear either way.
type field struct {
	kind    SegmentKind
	source  string
	text    []byte
	flags   jsonscan.Flags
	grows   bool  // each delta began with the one before it
	cuts    []int // the lengths of the deltas while grows
	taken   int   // of text, by take
	whole   bool  // deltas held the whole text: take gives it at once
	certain bool  // the server is known to do so: one repetition is enough
	twin    bool  // a field before it holds the same thinking
	last    bool  // with that, the next delta is the last and may take a stop string back
}

func (f *field) begin(kind SegmentKind, source string) {
	*f = field{kind: kind, source: source, text: f.text[:0], cuts: f.cuts[:0], grows: true}
}

func (f *field) empty() bool { return len(f.text) == 0 }

func (f *field) add(t jsonscan.Text) {
	if t.Len() == 0 {
		return
	}
	f.flags |= t.Flags
	if f.grows && bytes.HasPrefix(t.Raw, f.text) {
		f.text = append(f.text, t.Raw[len(f.text):]...)
		f.cuts = append(f.cuts, t.Len())
		return
	}
	if f.certain && f.last && f.grows && len(f.cuts) > 1 && bytes.HasPrefix(f.text, t.Raw) {
		f.text = f.text[:t.Len()]
		return
	}
	f.join()
	f.text = append(f.text, t.Raw...)
}

// join makes text what the deltas so far give one after the other.
func (f *field) join() {
	if f.mayBeWhole() {
		f.text = f.joined()
	}
	f.grows = false
}

// joined is what deltas that may be whole give one after the other.
func (f *field) joined() (text []byte) {
	for _, n := range f.cuts {
		text = append(text, f.text[:n]...)
	}
	return text
}

// Evidence that deltas repeat the whole text: by chance two deltas of a model
// that repeats itself may look so, but not many, and not long ones.
const (
	surelyGrows = 8  // deltas that went on where the one before ended: enough alone
	likelyGrows = 2  // of them: enough when they repeated shortRepeat bytes, and
	shortRepeat = 6  // the text is not one word over and over
	longRepeat  = 32 // bytes repeated: then one is enough
)

// mayBeWhole reports whether every delta began with the one before it.
func (f *field) mayBeWhole() bool { return f.grows && len(f.cuts) > 1 }

// settle decides between joined and whole, and flags it. cumulative says that
// something else of the stream is surely whole.
func (f *field) settle(p *Parser, cumulative bool) {
	if !f.mayBeWhole() {
		return
	}
	if f.whole = cumulative || f.certain || f.surelyWhole(); f.whole {
		p.flag(FlagCumulative)
		return
	}
	if f.grown() > 0 || f.repeated() >= longRepeat {
		p.flag(FlagMaybeCumulative)
	}
	f.join()
}

// grown is how many deltas went on where the one before them ended.
func (f *field) grown() (n int) {
	for i, cut := range f.cuts[1:] {
		if cut > f.cuts[i] {
			n++
		}
	}
	return n
}

// repeated is how much of the last delta the one before it held.
func (f *field) repeated() int { return f.cuts[len(f.cuts)-2] }

func (f *field) surelyWhole() bool {
	if !f.mayBeWhole() {
		return false
	}
	grown, repeated := f.grown(), f.repeated()
	if grown >= surelyGrows {
		return true
	}
	enough := grown >= likelyGrows && repeated >= shortRepeat || grown > 0 && repeated >= longRepeat
	return enough && !repeats(f.text, f.cuts[0])
}

// settleArguments decides for the arguments of a tool call.
func (f *field) settleArguments(p *Parser, cumulative bool) {
	switch {
	case !f.mayBeWhole():
	case cumulative || f.wholeArguments(p):
		p.flag(FlagCumulative)
	default:
		f.join()
	}
}

// wholeArguments reports whether the last delta of arguments is JSON, and all of
// them together are not.
func (f *field) wholeArguments(p *Parser) bool {
	return f.mayBeWhole() && p.isJSON(f.all()) && !p.isJSON(jsonscan.Text{Raw: f.joined(), Flags: f.flags})
}

func (p *Parser) isJSON(t jsonscan.Text) bool {
	p.scratch = t.AppendTo(p.scratch[:0])
	return jsonscan.Valid(p.scratch)
}

// repeats reports whether text is its first n bytes over and over, the last time
// perhaps in part.
func repeats(text []byte, n int) bool { return bytes.Equal(text[n:], text[:len(text)-n]) }

// all is the text.
func (f *field) all() jsonscan.Text { return jsonscan.Text{Raw: f.text, Flags: f.flags} }

// take is the next n bytes of what was joined; the whole text at once when
// every delta held it, then nothing.
func (f *field) take(n int) jsonscan.Text {
	end := f.taken + n
	if f.whole {
		end = len(f.text)
	}
	t := jsonscan.Text{Raw: f.text[f.taken:end:end], Flags: f.flags}
	f.taken = end
	return t
}
