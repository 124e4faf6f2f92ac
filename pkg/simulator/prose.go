package simulator

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// prose writes text that looks like reasoning. No sentence comes twice: loops are
// a fault of real models that filters look for.
type prose struct {
	rng   *rand.Rand
	topic []string // words of the prompt
	quote string   // its beginning
	said  map[string]bool
	last  int // the latest result
}

func newProse(rng *rand.Rand, prompt string) *prose {
	p := &prose{rng: rng, said: map[string]bool{}, last: 2 + rng.IntN(97)}
	words := strings.Fields(prompt)
	p.quote = strings.Join(words[:min(len(words), 8)], " ")
	if len(p.quote) > 120 { // text without spaces
		p.quote = string([]rune(p.quote)[:min(40, utf8.RuneCountInString(p.quote))])
	}
	for _, w := range words[:min(len(words), 400)] {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if len(w) > 3 && len(w) < 30 {
			p.topic = append(p.topic, w)
		}
	}
	if len(p.topic) == 0 {
		p.topic = []string{"question"}
	}
	return p
}

var openings = []string{
	"First,", "Now", "Next,", "So", "Then", "Still,", "Indeed,", "Hmm,", "Wait,", "Let me see:", "To be careful,",
	"As a check,", "In other words,", "Strictly speaking,", "On second thought,", "Going back,", "Put differently,",
	"Looking closer,", "By the same token,", "At this point", "Without loss of generality,", "Since that holds,",
	"Before I go on,", "From there", "Curiously,", "All told,",
}

var endings = []string{
	"", "", "", ", which is what I wanted", ", and that settles this part", ", but let me verify it", ", so far so good",
	", give or take nothing", ", as expected", " — a small surprise", ", if I read it right", ", and not the other way round",
	", which rules out the first idea", "; I will come back to it", ", as the wording suggests",
}

// thoughts are bodies of sentences. Each has numbers or words of the prompt in it.
var thoughts = []func(p *prose) string{
	(*prose).product, (*prose).product, (*prose).difference,
	func(p *prose) string { return fmt.Sprintf(`%q stands next to %q in the question`, p.word(), p.word()) },
	func(p *prose) string { return fmt.Sprintf("the part about %s needs step %d", p.word(), p.number(90)) },
	func(p *prose) string {
		return fmt.Sprintf("I assume that %s means %s here, case %d", p.word(), p.word(), p.number(900))
	},
	func(p *prose) string {
		return fmt.Sprintf(`\(x^{%d} + %dx - %d = 0\) has no root below %d`, 2+p.number(5), p.number(40), p.number(99), p.number(9))
	},
	func(p *prose) string {
		return fmt.Sprintf("the naïve count gives %d, too many by %d 🤔", p.number(5000), p.number(60))
	},
	func(p *prose) string {
		share, of := 1+p.number(99), p.number(900)
		return fmt.Sprintf("%d %% of %d is %.2f", share, of, float64(share*of)/100)
	},
	func(p *prose) string {
		return fmt.Sprintf("the bound \\(\\frac{%d}{%d} \\le \\alpha\\) covers %s", p.number(99), 100+p.number(99), p.word())
	},
	func(p *prose) string {
		return fmt.Sprintf("a file such as C:\\data\\%s%d.txt would hold\t%d rows", p.word(), p.number(99), p.number(7000))
	},
	func(p *prose) string {
		return fmt.Sprintf("`%s[%d]` holds %d entries", strings.ToLower(p.word()), p.number(64), p.number(600))
	},
}

func (p *prose) product() string {
	a, b := 2+p.number(97), 2+p.number(97)
	p.last = a * b
	return fmt.Sprintf("%d × %d = %d", a, b, p.last)
}

func (p *prose) difference() string {
	b := p.number(p.last)
	was := p.last
	p.last -= b
	return fmt.Sprintf("taking %d away from %d leaves %d", b, was, p.last)
}

func (p *prose) number(limit int) int { return p.rng.IntN(max(1, limit)) }
func (p *prose) word() string         { return p.topic[p.number(len(p.topic))] }
func (p *prose) of(list []string) string {
	return list[p.number(len(list))]
}

// sentence is one that was not said before.
func (p *prose) sentence() string {
	for try := 0; ; try++ {
		s := p.of(openings) + " " + thoughts[p.number(len(thoughts))](p) + p.of(endings) + "."
		if try > 20 {
			s = fmt.Sprintf("(%d) %s", len(p.said), s)
		}
		if !p.said[s] {
			p.said[s] = true
			return s
		}
	}
}

// block is something else than a sentence: code, Chinese, a formula.
func (p *prose) block() string {
	n := len(p.said)
	switch p.number(4) {
	case 0:
		return fmt.Sprintf("```python\ndef step_%d(x):\n    return x * %d + %d  # \"%s\"\n```", n, p.number(99), p.number(99), p.word())
	case 1:
		return fmt.Sprintf("换句话说，第%d步的结果是%d，与“%s”有关。", n, p.number(9999), p.word())
	case 2:
		return fmt.Sprintf("$$\\sum_{k=1}^{%d} k = %d, \\qquad \\text{line %d}$$", n, n*(n+1)/2, p.number(99))
	}
	return fmt.Sprintf("- item %d: \"%s\" → %s/%d ✅", n, p.word(), p.word(), p.number(999))
}

// halfSentence is by how much the last sentence goes too far on average.
const halfSentence = 6

// text is sentences of about n tokens, in paragraphs.
func (p *prose) text(first string, n int) string {
	b := strings.Builder{}
	b.WriteString(first)
	tokens, inParagraph := len(strings.Fields(first)), 1
	for tokens < n-halfSentence {
		s, space := p.sentence(), " "
		if inParagraph >= 3 && p.number(3) == 0 {
			space, inParagraph = "\n\n", 0
			if p.number(4) == 0 {
				s, inParagraph = p.block()+"\n\n"+s, 1
			}
		}
		inParagraph++
		b.WriteString(space)
		b.WriteString(s)
		tokens += len(strings.Fields(s))
	}
	return b.String()
}

// thinking is a thought of about n tokens.
func (p *prose) thinking(n int) string {
	return p.text(fmt.Sprintf("The user writes \"%s\", so this is about %s.", p.quote, p.word()), n)
}

// content is an answer of about n tokens that ends in a result.
func (p *prose) content(n int) string {
	s := p.text(fmt.Sprintf("About %s, in short:", p.word()), n-2)
	return s + fmt.Sprintf("\n\n**Answer:** \\boxed{%d}", p.last)
}

// pieces cuts text into tokens: a word and the white space before it.
func pieces(text string) []string {
	var list []string
	start, inWord := 0, false
	for i, r := range text {
		space := unicode.IsSpace(r)
		if space && inWord {
			list = append(list, text[start:i])
			start = i
		}
		inWord = !space
	}
	if start < len(text) {
		list = append(list, text[start:])
	}
	return list
}
