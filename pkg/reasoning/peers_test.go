package reasoning_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// peerCase is a case that the unit tests of another parser assert, and what the
// faithful rules make of it beside that.
type peerCase struct {
	ID, Peer, In       string
	Reasoning, Content string // what the other makes of it
	Calls              int    // and reads out of the content, which is not compared then

	Family   string // ours, or two markers
	Rules    string // whose rules must agree; "" when they have no preset
	Skip     string // why they do not agree
	Thinking string // on, off or not known
	Open     string // whether the prompt is known to end in a thought
	Finish   string
	Nonempty bool // force_nonempty_content

	Faithful [3]string // reasoning, content and status
}

// TestPeersCases runs cases from the tests of SGLang (sg, gr), vLLM (the rest of
// those with rules), llama.cpp (ll), Ollama (ol), smg (sm) and harmony (ha).
func TestPeersCases(t *testing.T) {
	for _, c := range peerCases(t) {
		if rules, _ := reasoning.Preset(c.Rules); c.Rules != "" && c.Skip == "" {
			if c.Nonempty {
				rules.Empty = reasoning.EmptyFilled
			}
			r, content, _ := c.split(t, rules)
			if r != c.Reasoning || content != c.Content && c.Calls == 0 {
				t.Errorf("%s %s %q: got %q | %q, %s has %q | %q", c.ID, c.Family, c.In, r, content, c.Rules, c.Reasoning, c.Content)
			}
		}
		rules := reasoning.Faithful()
		r, content, status := c.split(t, &rules)
		if got := [3]string{r, content, status}; got != c.Faithful {
			t.Errorf("%s %s %q: got %q, want %q", c.ID, c.Family, c.In, got, c.Faithful)
		}
	}
}

func peerCases(t *testing.T) (cases []peerCase) {
	t.Helper()
	file, err := os.Open("testdata/peers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c peerCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		cases = append(cases, c)
	}
	return cases
}

func (c *peerCase) split(t *testing.T, rules *reasoning.Rules) (thinking, answer, status string) {
	t.Helper()
	tri := map[string]reasoning.Tri{"on": reasoning.Yes, "yes": reasoning.Yes, "off": reasoning.No, "no": reasoning.No}
	var f *reasoning.Family
	if open, closer, ok := strings.Cut(c.Family, " "); ok {
		f = reasoning.Custom(open, closer)
	} else {
		f = family(t, c.Family)
	}
	var s reasoning.Split
	rules.Split(f, reasoning.Facts{Thinking: tri[c.Thinking], PromptOpen: tri[c.Open], Finish: c.Finish}, reasoning.Plain(c.In), &s)
	thinking, answer = texts(c.In, &s)
	return thinking, answer, string(s.Status)
}
