package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

func isJSON(s *cmdline.Session) bool { return s.Generic("from").(*cmdline.Choice).String() == "json" }

// sources are the inputs as lines.
func sources(s *cmdline.Session, p *plan) []jsonl.Source {
	inputs := s.Inputs()
	if !p.fromJSON {
		return inputs
	}
	for i, input := range inputs {
		inputs[i].Open = func() (io.ReadCloser, error) {
			rc, err := input.Open()
			if err != nil {
				return nil, err
			}
			return &document{Closer: rc, lines: jsonscan.NewLines(jsonl.Decompress(rc, input.Name, s.Options()))}, nil
		}
	}
	return inputs
}

// document is a file of JSON values that is read as lines.
type document struct {
	io.Closer
	lines *jsonscan.Lines
}

func (d *document) Read(p []byte) (int, error) {
	n, err := d.lines.Read(p)
	var damage *jsonl.DamageError
	if errors.As(err, &damage) { // whoever reads the lines knows the file, and how many there were
		err = fmt.Errorf("%s: %w", damage.Kind, damage.Err)
	}
	return n, err
}
