package reasoning

import (
	"iter"
	"slices"
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
	Aliases []string // parser names of SGLang, vLLM and others, with underscores
	Open    string   // "<think>"; "" when the template always writes it
	Close   string   // "</think>"
	Label   string   // a word that may follow the opening marker on its line and belongs to it: "thought"
	Format  Format   // how its texts are built

	AlsoOpen, AlsoClose []string // other spellings of the two

	// AnswerOpen and AnswerClose are markers around the answer, in neither text.
	// The first also ends a thought that has no closing marker.
	AnswerOpen, AnswerClose []string

	Opener        Opener
	TemplateOpens []string // of a ByModel family: parts of the names of models whose template opens nevertheless

	// Tools are markers of calls. A call ends a thought that has no closing marker.
	Tools []string
	Calls Pair // markers around a call that may stand inside a thought and is one there
	Cites Pair // markers around a citation; the closing one goes on to a '>'

	OffByDefault bool     // thinks only when the request asks for it
	Switches     []string // keys of chat_template_kwargs that switch thinking on and off
	SoftOff      string   // what a user writes into a message to switch it off

	// CloseIDs are what the closing marker is in the tokenizers of its models.
	CloseIDs []int64

	Models []string // parts of the names of its models
	Never  []string // of those, parts of the names of models that never think

	Preamble bool // may write text for the user before the opening marker
	Blocks   bool // may think again after it began to answer

	// KeepHistory: it wants the thoughts of all its earlier turns back. Others
	// want those since the user's last message at most.
	KeepHistory bool

	Prose bool // the markers are words that others write, too: a closing one means nothing by itself

	Signs []string // more markers that tell the family when a text begins with one
}

// Pair is an opening and a closing marker.
type Pair struct{ Open, Close string }

// Format is how the texts of a family are built.
type Format uint8

const (
	Tags    Format = iota // a thought between two markers, then the answer
	Harmony               // messages with a header that names a channel (gpt-oss)
	XTML                  // named blocks: <|open|>think<|sep|>…<|close|>think<|sep|> (Kimi K3)
	Typed                 // blocks that begin with their type and share one end (Inkling)
)

// Families ranges over the table, in order. Families must not be changed.
func Families() iter.Seq[*Family] { return slices.Values(table[:]) }

// Custom is a family of two markers (extract --open, --close). open may be ""
// for models whose template writes it.
func Custom(open, close string) *Family {
	f := &Family{Name: "custom", Open: open, Close: close, Switches: either}
	if open == "" {
		f.Opener = ByTemplate
	}
	return f
}

// Prefills reports whether the template of a model writes the opening marker at
// the end of the prompt, when the model is to think.
func (f *Family) Prefills(model string) bool {
	return f.Opener == ByTemplate || named(f.TemplateOpens, model)
}

// Assume fills in what the facts leave unknown by what is usual for the family.
func (f *Family) Assume(facts Facts) Facts {
	if facts.Thinking == Unknown {
		facts.Thinking = tri(!f.OffByDefault && !named(f.Never, facts.Model))
	}
	if facts.PromptOpen == Unknown {
		facts.PromptOpen = tri(f.Prefills(facts.Model) && facts.Thinking == Yes)
	}
	return facts
}
