package export

import (
	"iter"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Format is one form.
type Format struct {
	Name    string // of extract --format
	Meaning string // one line
	// Append appends a sample as one line of JSON, without a newline.
	Append func(dst []byte, s *record.Sample) []byte
}

var table = [...]*Format{
	{"sample", "our own, with everything that is known", appendSample},
	{"messages", "a conversation that ends with the answer", appendMessages},
	{"hf", "a sample in one schema, for dataset readers", appendHF},
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

func appendSample(dst []byte, s *record.Sample) []byte { return s.AppendJSON(dst) }
