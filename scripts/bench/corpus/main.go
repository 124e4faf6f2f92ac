// Command corpus writes an archive of made-up exchanges for benchmarks: the same
// -seed and -bytes always give the same bytes. Lines have a median of about 13 KB
// and a mean of 17 KB; 8 quotes and 20 backslashes a KB; 15 % of them are ASCII
// only, 5 % spell the markers \u003c/think\u003e, 20 % hold LaTeX, 15 % code,
// 10 % Chinese; 4 % are cut before </think> and 5 % split already. Words are drawn
// one by one, so that real text compresses better.
package main

import (
	"bufio"
	"crypto/sha256"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"unicode/utf8"
)

var top = []string{"the", "of", "to", "and", "a", "is", "in", "that", "we", "it", "so", "for", "this", "be", "as", "with", "are", "if", "not", "can", "have", "then", "on", "but", "which", "or", "by", "from", "at", "an", "let", "need", "would", "should", "will", "there", "they", "each", "one", "two", "value", "number", "first", "since", "when", "where", "function", "case", "equation", "problem", "answer", "because", "also", "into", "only", "any", "all", "more", "than", "other", "means", "must", "how", "what", "does", "set", "given", "using", "same", "time", "check", "step", "result", "data", "line", "point", "term", "sum", "code", "list", "string", "return", "index", "length", "example", "possible", "correct", "user", "input", "output", "test", "just", "now", "here", "these", "those", "such", "some", "between", "after", "before", "maybe", "think", "want", "make", "find", "get", "use"}
var phrases = []string{"Wait, let me reconsider. ", "Let me double-check that. ", "Hmm, ", "Okay, so ", "So the answer is ", "But wait, ", "Alternatively, ", "Therefore, ", "Let me verify this with a small example. ", "The user is asking about ", "In other words, ", "That can't be right. ", "On the other hand, ", "I should make sure that ", "First, let's recall the definition. "}
var emojis = []rune{'😀', '🚀', '✅', '❌', '🎉', '🔥', '💡', '👍', '📌', '🤔', '⚠', '→', '≤', '≥', '×', '—', '’', '“', '”', 'π', 'α', 'β', '∑', '√', '∞', 'é', 'ü'}
var codeTmpl = []string{
	"def %s(%s, %s):\n    \"\"\"Return the %s of %s.\"\"\"\n    result = []\n    for i, x in enumerate(%s):\n        if x %% %d == 0:\n            result.append(x * %d)\n    return result\n",
	"func %s(%s []int, %s int) (int, error) {\n\tif len(%s) == 0 {\n\t\treturn 0, fmt.Errorf(\"%s: empty %s\")\n\t}\n\tfor i := %d; i < %d; i++ {\n\t\tsum += i\n\t}\n\treturn sum, nil\n}\n",
	"const %s = (%s, %s) => {\n  if (!%s) throw new Error(\"%s \\\"%s\\\" failed\\n\");\n  return a[%d] + b[%d];\n};\n",
	"SELECT %s, %s FROM %s WHERE %s LIKE '%%%s%%' AND %s > %d LIMIT %d;\n",
}
var latex = []string{"\\frac{%s}{%s}", "\\sqrt{%s + %s}", "\\sum_{i=1}^{%s} %s_i", "\\left(%s - %s\\right)^2", "\\alpha %s \\cdot \\beta %s", "\\int_0^{%s} %s\\,dx", "\\mathbb{%s} \\subseteq \\mathbb{%s}"}

type gen struct {
	r     *rand.Rand
	vocab []string
	cdf   []float64
	han   []rune
	hcdf  []float64
}

func cdf(n int, s float64) []float64 {
	c := make([]float64, n)
	t := 0.0
	for i := range c {
		t += 1 / math.Pow(float64(i+2), s)
		c[i] = t
	}
	for i := range c {
		c[i] /= t
	}
	return c
}
func pick(c []float64, u float64) int {
	lo, hi := 0, len(c)-1
	for lo < hi {
		m := (lo + hi) / 2
		if c[m] < u {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

func newGen(seed uint64) *gen {
	g := &gen{r: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	on := []string{"b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "pr", "ch", "sh", "th", "pl", "gr", ""}
	nu := []string{"a", "e", "i", "o", "u", "ea", "ou", "io", "ai"}
	co := []string{"", "n", "r", "s", "t", "l", "m", "ck", "ng", "nt", "st", "tion", "ment", "ly", "ed", "ing"}
	g.vocab = append(g.vocab, top...)
	seen := map[string]bool{}
	for len(g.vocab) < 24000 {
		w := ""
		for n := 1 + g.r.IntN(3); n >= 0; n-- {
			w += on[g.r.IntN(len(on))] + nu[g.r.IntN(len(nu))]
		}
		w += co[g.r.IntN(len(co))]
		if !seen[w] && len(w) > 2 && len(w) < 14 {
			seen[w] = true
			g.vocab = append(g.vocab, w)
		}
	}
	g.cdf = cdf(len(g.vocab), 1.05)
	for i := 0; i < 2500; i++ {
		g.han = append(g.han, rune(0x4e00+g.r.IntN(0x9fa5-0x4e00)))
	}
	g.hcdf = cdf(len(g.han), 0.9)
	return g
}
func (g *gen) word() string { return g.vocab[pick(g.cdf, g.r.Float64())] }

// sentence appends one sentence or block of kind k.
func (g *gen) sentence(b []byte, k int) []byte {
	x := g.r.Float64()
	switch {
	case k == 3 && x < 0.85: // Chinese
		for n := 8 + g.r.IntN(30); n > 0; n-- {
			b = utf8.AppendRune(b, g.han[pick(g.hcdf, g.r.Float64())])
			if g.r.IntN(12) == 0 {
				b = append(b, "，"...)
			}
		}
		b = append(b, "。"...)
	case k == 2 && x < 0.18: // code block
		b = append(b, "\n\n```\n"...)
		t := codeTmpl[g.r.IntN(len(codeTmpl))]
		b = fmt.Appendf(b, t, g.word(), g.word(), g.word(), g.word(), g.word(), g.word(), g.r.IntN(100), g.r.IntN(1000))
		b = append(b, "```\n\n"...)
	case k == 1 && x < 0.4: // math
		b = append(b, "So "...)
		for n := 1 + g.r.IntN(3); n > 0; n-- {
			b = append(b, '$')
			b = fmt.Appendf(b, latex[g.r.IntN(len(latex))], string(rune('a'+g.r.IntN(26))), string(rune('a'+g.r.IntN(26))))
			b = append(b, " = "...)
			b = strconv.AppendInt(b, int64(g.r.IntN(5000)), 10)
			b = append(b, "$ "...)
		}
	default:
		if g.r.IntN(4) == 0 {
			b = append(b, phrases[g.r.IntN(len(phrases))]...)
		}
		q := g.r.IntN(9) == 0
		for n, i := 6+g.r.IntN(16), 0; i < n; i++ {
			w := g.word()
			if q && i == 3 {
				b = append(b, '"')
			}
			if i == 0 {
				b = append(b, w[0]&^0x20)
				b = append(b, w[1:]...)
			} else {
				b = append(b, w...)
			}
			if q && i == 4 {
				b = append(b, '"')
			}
			if i < n-1 {
				if g.r.IntN(14) == 0 {
					b = append(b, ',')
				}
				b = append(b, ' ')
			}
		}
		if g.r.IntN(40) == 0 {
			b = append(b, ' ')
			b = utf8.AppendRune(b, emojis[g.r.IntN(len(emojis))])
		}
		b = append(b, '.')
	}
	switch x := g.r.IntN(10); {
	case x < 2:
		b = append(b, "\n\n"...)
	case x == 2:
		b = append(b, "\n- "...)
	default:
		b = append(b, ' ')
	}
	return b
}
func (g *gen) text(b []byte, n, k int) []byte {
	end := len(b) + n
	for len(b) < end {
		b = g.sentence(b, k)
	}
	return b
}

const hexd = "0123456789abcdef"

// quote appends s as a JSON string. mode 0: raw UTF-8 (SGLang, orjson);
// 1: ASCII only (Python json.dumps default); 2: Go encoding/json (<, >, & escaped).
func quote(b []byte, s []byte, mode int) []byte {
	b = append(b, '"')
	u := func(v rune) {
		b = append(b, '\\', 'u', hexd[v>>12&15], hexd[v>>8&15], hexd[v>>4&15], hexd[v&15])
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c < 0x20 || mode == 2 && (c == '<' || c == '>' || c == '&'):
			u(rune(c))
		case c >= 0x80 && mode == 1:
			r, n := utf8.DecodeRune(s[i:])
			if r >= 0x10000 {
				r -= 0x10000
				u(0xd800 + r>>10)
				u(0xdc00 + r&0x3ff)
			} else {
				u(r)
			}
			i += n
			continue
		default:
			b = append(b, c)
		}
		i++
	}
	return append(b, '"')
}

// shape is how the thinking of an answer is kept.
type shape int

const (
	inline shape = iota // the closing marker in content
	cut                 // no closing marker, finish reason length
	split               // in reasoning_content
)

// choose draws a kind of text, a way of quoting and a shape.
func (g *gen) choose() (kind, mode int, s shape) {
	switch x := g.r.IntN(100); {
	case x < 20:
		kind = 1
	case x < 35:
		kind = 2
	case x < 45:
		kind = 3
	}
	switch x := g.r.IntN(100); {
	case x < 15:
		mode = 1
	case x < 20:
		mode = 2
	}
	switch x := g.r.IntN(100); {
	case x < 4:
		s = cut
	case x < 9:
		s = split
	}
	return kind, mode, s
}

// line appends the i-th exchange.
func (g *gen) line(b []byte, i int) []byte {
	size := int(12288 * math.Exp(0.8*g.r.NormFloat64()))
	size = min(max(size, 2048), 102400)
	kind, mode, shape := g.choose()
	question := min(200+int(float64(size)*0.08), 3000)
	answer := int(float64(size) * (0.1 + 0.2*g.r.Float64()))
	thought := max(size-question-answer-700, 200)
	sum := fmt.Sprintf("%016x%016x%016x%016x", g.r.Uint64(), g.r.Uint64(), g.r.Uint64(), g.r.Uint64())

	b = fmt.Appendf(b, `{"id":"ex_%s","custom_id":"req-%08d","sample":0,"turn":0,"attempt":1,"retried":false,"request":{"method":"POST","url":"/v1/chat/completions","body":`, sum[:24], i)
	asking := len(b)
	b = append(b, `{"model":"deepseek-ai/DeepSeek-R1-0528","messages":[{"role":"system","content":`...)
	b = quote(b, []byte("You are a helpful assistant. Think step by step, then give a \"final\" answer."), mode)
	b = quote(append(b, `},{"role":"user","content":`...), g.text(nil, question, kind), mode)
	b = append(b, `}],"temperature":0.6,"top_p":0.95,"max_tokens":32768}`...)
	b = fmt.Appendf(b, `,"sha256":"%x"},"response":{"status_code":200,"request_id":"","headers":{"content-type":"application/json"},"body":`, sha256.Sum256(b[asking:]))
	start := len(b)
	b = g.body(b, sum, i, kind, mode, thought, answer, shape)
	received := sha256.Sum256(b[start:])
	return fmt.Appendf(b, `,"sha256":"%x"},"error":null,"dead":false,"server":"http://127.0.0.1:30000","lane":"all","started_at":"2026-01-01T00:00:00.000Z","timing":{"queued_ms":0.1,"first_byte_ms":812,"total_ms":%d},"run":"run_%s","server_epoch":1,"meta":{}}`+"\n", received, 1000+g.r.IntN(200000), sum[:24])
}

// body appends a chat completion as SGLang sends it.
func (g *gen) body(b []byte, sum string, i, kind, mode, thought, answer int, s shape) []byte {
	b = fmt.Appendf(b, `{"id":"%s","object":"chat.completion","created":%d,"model":"deepseek-ai/DeepSeek-R1-0528","choices":[{"index":0,"message":{"role":"assistant","content":`, sum[:32], 1750000000+i)
	finish, stop := "stop", "1"
	var t, reasoning []byte
	switch s {
	case inline:
		if g.r.IntN(4) == 0 {
			t = append(t, "<think>\n"...)
		}
		t = append(g.text(t, thought, kind), "\n</think>\n\n"...)
		t = g.text(t, answer, kind)
	case cut:
		finish, stop = "length", "null"
		t = g.text(t, thought+answer, kind)
	case split:
		t = g.text(t, answer, kind)
		reasoning = g.text(nil, thought, kind)
	}
	b = append(quote(b, t, mode), `,"reasoning_content":`...)
	if reasoning == nil {
		b = append(b, "null"...)
	} else {
		b = quote(b, reasoning, mode)
	}
	tokens := (thought + answer) / 4
	return fmt.Appendf(b, `,"tool_calls":null},"logprobs":null,"finish_reason":"%s","matched_stop":%s}],"usage":{"prompt_tokens":100,"total_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":null,"reasoning_tokens":%d},"metadata":{"weight_version":"default"}}`,
		finish, stop, 100+tokens, tokens, thought/4)
}

func main() {
	total := flag.Int64("bytes", 256e6, "bytes to write at least")
	seed := flag.Uint64("seed", 1, "seed")
	flag.Parse()
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	g := newGen(*seed)
	var b []byte
	for i, written := 0, int64(0); written < *total; i++ {
		b = g.line(b[:0], i)
		w.Write(b)
		written += int64(len(b))
	}
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
