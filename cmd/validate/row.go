package main

import (
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// row judges a line as it stands, as the validator of another program does.
func (w *worker) row(line jsonl.Line) {
	root := w.doc.Root()
	e := w.batch.add(line)
	id := record.PromptID(root, "")
	e.id = w.keepID(id)
	e.group = w.groupOf(root, nil)
	e.digest = check.Digest{Prompt: w.digests.Prompt(id)}
	if !id.IsZero() {
		answer := w.digests.Answer(record.Key{ID: id}, 0)
		e.digest.Request, e.digest.Slot, e.digest.Answer, e.digest.First = answer, answer, answer, answer
		e.digest.Content = w.digests.Bytes(line.Data) | 2 // at least what Digest asks for
	}
	why := root.Duplicate()
	if why != "" {
		why = "duplicate key " + why
	} else {
		why = check.SpecForge(root, w.config.policy.Require, w.config.strictRows)
	}
	if why != "" {
		f, _ := w.config.policy.Finding(check.NotSpecForge, why)
		w.findings = append(w.findings, f)
	} else if !w.config.check {
		w.output = append(append(w.output, line.Data...), '\n')
	}
	w.end()
}
