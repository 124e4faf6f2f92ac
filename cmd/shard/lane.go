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
		w.prompts.PromptField = w.promptField
		if p.Asked, err = w.prompts.Asked(root); err != nil {
			return "", err
		}
	}
	if w.longWhen.Match(&p, root) {
		return "long", nil
	}
	return "short", nil
}
