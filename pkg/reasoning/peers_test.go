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
// those with rules), llama.cpp (ll), Ollama (ol), smg (sm), LMDeploy (lm)
// and harmony (ha).
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

// peerIDs are all cases that were collected.
const peerIDs = `
	sg01 sg02 sg03 sg04 sg05 sg06 sg07 sg08 sg09 sg10 sg11 sg12 sg13 sg14 sg15 sg16 sg17 sg18 sg19 sg20 sg21 sg22 sg23 sg24 sg25 sg26 sg27 sg28 sg29 sg30
	sg31 sg32 sg33 sg34 sg35 sg36 sg37 sg38 sg39 sg40 sg41 sg42 gr01 gr02 gr03 gr04 gr05 gr06 gr07 vb01 vb02 vb03 vb04 vb05 vb06 vb07 vb08 vb09 vb10 vq01
	vq02 vq03 vq04 vq05 vq06 vq07 vq08 vq09 vq10 vq11 vq12 vq13 vq14 vk01 vk02 vk03 vk04 vk05 vk06 vk07 vk08 vk09 vg01 vg02 vg03 vg04 vm01 vm02 vm03 vm04
	vm05 vm06 vm07 vm08 vm09 gp01 gp02 gp03 gp04 gp05 gp06 er01 er02 er03 hy01 hy02 hy03 hy04 hy05 hy06 se01 se02 st01 st02 st03 st04 st05 st06 st07 st08
	ge01 ge02 ge03 ge04 ge05 ge06 mm01 mm02 mm03 mm04 mm05 mm06 mm07 mm08 ne01 ne02 ol01 ol02 co01 co02 gp20 un01 ll01 ll02 ll03 ll04 ll05 ll06 ll07 ll08
	ll09 ll10 ll11 ll12 ll13 ll14 ll15 ll16 ll17 ll18 ll19 ll20 ll20b ll21 ll22 ll23 ll24 ll25 ll26 ll27 ll28 ll29 ll30 ll31 ll32 ll33 ll34 ll35 ol20 ol21
	ol22 ol23 ol24 ol25 ol26 ol27 ol28 ol29 ol30 ol31 ol32 ol33 ol34 ol35 ol36 ol37 ol38 ol39 ol40 ol41 ol42 ol43 sm01 sm02 sm03 sm04 sm05 sm06 sm07 sm08
	sm09 lm01 lm02 ha01 ha02 ha03 ha04 ha05
`

// noSplits are the cases that say nothing of how a text is split, and why.
var noSplits = map[string]string{
	"vb09": "counts token ids",
	"vb10": "asks token ids whether a thought has ended",
	"vk06": "a token's id and its text come in different deltas",
	"hy05": "slices of a stream must not matter: texts are split whole, FuzzJoin of pkg/response joins them",
	"gp20": "asks token ids whether a thought has ended",
	"sm09": "a buffer that overflows: there is none",
	"ha04": "a character's bytes come in different tokens: texts are whole",
	"ha05": "renders a conversation",
}

// Every case is run, or it is said why not.
func TestPeersCasesAreComplete(t *testing.T) {
	runs := map[string]bool{}
	for _, c := range peerCases(t) {
		if runs[c.ID] {
			t.Errorf("%s is there twice", c.ID)
		}
		runs[c.ID] = true
	}
	ids := strings.Fields(peerIDs)
	for _, id := range ids {
		if _, none := noSplits[id]; runs[id] == none {
			t.Errorf("%s: run %v, no split %v", id, runs[id], none)
		}
		delete(runs, id)
	}
	if len(ids) != 218 || len(runs) > 0 {
		t.Errorf("%d cases, and %v of no list", len(ids), runs)
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
