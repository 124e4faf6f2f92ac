package main

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// lane is a scanned line with the lane that --long-when gives it; the line itself
// when it names one. What is returned is what the document holds now.
func (w *worker) lane(line []byte) ([]byte, error) {
	root := w.doc.Root()
	if lane := root.Get("lane"); lane.Kind() == jsonscan.String && lane.Text().Len() > 0 {
		return line, nil
	}
	slot, err := shard.SlotFor(root, "lane")
	if err != nil {
		return nil, err
	}
	name, err := w.laneOf(root)
	if err != nil {
		return nil, err
	}
	w.laned = slot.Append(w.laned[:0], line, name)
	return w.laned, w.doc.Scan(w.laned)
}

func (w *worker) laneOf(root jsonscan.Value) (name string, err error) {
	var p prompt.Prompt
	if w.longWhen.NeedsPrompt() {
		if p.Asked, err = w.asked(root); err != nil {
			return "", err
		}
	}
	if w.longWhen.Match(&p, root) {
		return "long", nil
	}
	return "short", nil
}

// asked is what a line asks. Of turns that have no answers between them it is the
// first.
func (w *worker) asked(root jsonscan.Value) (prompt.Asked, error) {
	w.prompts.PromptField = w.promptField
	asked, err := w.prompts.Asked(root)
	if err != nil {
		first := prompt.Reader{PromptField: w.promptField, Turns: prompt.OneTurn}
		return first.Asked(root)
	}
	return asked, nil
}
