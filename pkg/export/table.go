package export

import (
	"iter"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Format is one form.
type Format struct {
	Name     string // of extract --format
	Meaning  string // one line
	Segments Segments
	// Append appends a sample as one line of JSON, without a newline. The error says
	// what the form cannot hold; nothing is appended then.
	Append func(dst []byte, s *record.Sample) ([]byte, error)
}

// Segments is whether a form has a place for the segments of a sample.
type Segments uint8

const (
	Without Segments = iota
	WhenAsked
	Always // it is made of them
)

var table = [...]*Format{
	{"sample", "our own, with everything that is known", WhenAsked, all(appendSample)},
	{"messages", "a conversation that ends with the answer", Without, all(appendMessages)},
	{"hf", "a sample in one schema, for dataset readers", WhenAsked, all(appendHF)},
	{"specforge", "conversations that SpecForge trains on", Without, appendSpecForge},
	{"speculators", "conversations for speculators' data preparation", Without, appendSpeculators},
	{"sharegpt", "turns with the thinking between markers, as LLaMA-Factory reads them", Without, appendShareGPT},
	{"harmony", "a conversation of openai-harmony, with channels", Without, appendHarmony},
	{"trl", "prompt and completion, for TRL", Without, appendTRL},
	{"text", "the answer as the model wrote it", Always, appendText},
}

// Formats ranges over the table, in order.
func Formats() iter.Seq[*Format] { return slices.Values(table[:]) }

// Lookup is the form of that name, nil when there is none; known are all names.
func Lookup(name string) (f *Format, known []string) {
	for _, t := range table {
		known = append(known, t.Name)
		if t.Name == name {
			f = t
		}
	}
	return f, known
}

// all is for forms that hold every sample.
func all(appendTo func([]byte, *record.Sample) []byte) func([]byte, *record.Sample) ([]byte, error) {
	return func(dst []byte, s *record.Sample) ([]byte, error) { return appendTo(dst, s), nil }
}

func appendSample(dst []byte, s *record.Sample) []byte { return s.AppendJSON(dst) }
