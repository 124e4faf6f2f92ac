package reasoning

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Opener says who writes the opening marker of a family's thoughts.
type Opener uint8

const (
	// ByModel: the opening marker is in the generated text.
	ByModel Opener = iota
	// ByTemplate: the chat template puts it at the end of the prompt, so that
	// the generated text starts inside the thought.
	ByTemplate
)

// Family is how one family of models marks its thinking. Parts of model names
// are in lower case and compared without regard to case, '_' as '-'; "a*b" is a
// name that holds first a and then b.
type Family struct {
	Name    string   // "kimi_k2"
	Aliases []string // SGLang's and vLLM's parser names, with underscores
	Open    string   // "<think>"; "" when the template always writes it
	Close   string   // "</think>"

	Opener        Opener
	TemplateOpens []string // of a ByModel family: parts of the names of models whose template opens nevertheless

	// Tools are markers of calls. A call ends a thought that has no closing marker.
	Tools []string

	OffByDefault bool     // thinks only when the request asks for it
	Switches     []string // keys of chat_template_kwargs that switch thinking on and off
	SoftOff      string   // what a user writes into a message to switch it off

	Models []string // parts of the names of its models
	Never  []string // of those, parts of the names of models that never think

	Preamble bool // may write text for the user before the opening marker
	Blocks   bool // may think again after it began to answer
}

// Families ranges over the table, in order. Families must not be changed.
func Families() iter.Seq[*Family] { return slices.Values(table[:]) }

// Lookup finds a family by name or alias; '-' equals '_', case does not matter.
// near holds the closest names, at most three, when there is none.
func Lookup(name string) (f *Family, near []string) {
	want := strings.ReplaceAll(strings.ToLower(name), "-", "_")
	for _, f := range table {
		if f.Name == want || slices.Contains(f.Aliases, want) {
			return f, nil
		}
	}
	return nil, nearest(want)
}

// Custom is a family of two markers (extract --open, --close). open may be ""
// for models whose template writes it.
func Custom(open, close string) *Family {
	f := &Family{Name: "custom", Open: open, Close: close}
	if open == "" {
		f.Opener = ByTemplate
	}
	return f
}

// assume fills in what the facts leave unknown by what is usual for the family.
func (f *Family) assume(facts Facts) Facts {
	if facts.Thinking == Unknown {
		facts.Thinking = tri(!f.OffByDefault && !named(f.Never, facts.Model))
	}
	if facts.PromptOpen == Unknown {
		template := f.Opener == ByTemplate || named(f.TemplateOpens, facts.Model)
		facts.PromptOpen = tri(template && facts.Thinking == Yes)
	}
	return facts
}

// named reports whether a model's name holds one of parts.
func named(parts []string, model string) bool {
	return slices.ContainsFunc(parts, func(part string) bool {
		first, then, _ := strings.Cut(part, "*")
		rest, ok := afterFold(model, first)
		if ok {
			_, ok = afterFold(rest, then)
		}
		return ok
	})
}

// afterFold is what follows the first part, which is ASCII in lower case, in s.
func afterFold(s, part string) (after string, found bool) {
	for i := 0; i+len(part) <= len(s); i++ {
		n := 0
		for n < len(part) && fold(s[i+n]) == part[n] {
			n++
		}
		if n == len(part) {
			return s[i+n:], true
		}
	}
	return "", false
}

func fold(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case c == '_' || c == ' ':
		return '-'
	}
	return c
}

// nearest is the names and aliases that differ least from want.
func nearest(want string) []string {
	type candidate struct {
		name string
		far  int
	}
	var all []candidate
	for _, f := range table {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			far := distance(want, name)
			if len(want) >= 3 && (strings.Contains(name, want) || strings.Contains(want, name)) {
				far = min(far, 1)
			}
			if far <= 1+len(want)/3 {
				all = append(all, candidate{name, far})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var near []string
	for _, c := range all[:min(3, len(all))] {
		near = append(near, c.name)
	}
	return near
}

// distance is the number of bytes to insert, delete or replace (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
