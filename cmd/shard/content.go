package main

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// content reads what is asked, where it matters.
func (w *worker) content(it *item, root jsonscan.Value) error {
	if w.promptField == "" && w.dedupe != "content" {
		return nil
	}
	w.prompts.PromptField = w.promptField
	_, asked, err := w.prompts.Find(root)
	if err != nil {
		return err
	}
	if w.dedupe == "content" {
		w.key = appendValue(w.key[:0], asked)
		it.prompt = shard.DigestOf(w.key)
	}
	return nil
}

// appendValue appends a form of a value that equal ones have in common, however
// they are written: without white space, strings decoded, members sorted. Numbers
// are as they stand. Of an object it is a hash: of its bytes each level would make a
// copy.
func appendValue(dst []byte, v jsonscan.Value) []byte {
	switch v.Kind() {
	case jsonscan.String:
		return appendText(dst, v.Text())
	case jsonscan.Array:
		dst = append(dst, '[')
		for _, e := range v.Elements() {
			dst = append(appendValue(dst, e), ',')
		}
		return append(dst, ']')
	case jsonscan.Object:
		var members [][]byte
		for key, value := range v.Members() {
			members = append(members, appendValue(append(appendText(nil, key), ':'), value))
		}
		slices.SortFunc(members, bytes.Compare)
		h := sha256.New()
		for _, m := range members {
			h.Write(m)
		}
		return h.Sum(append(dst, '{'))
	}
	return append(dst, v.Raw()...)
}

// appendText appends a text that ends where its bytes cannot go on: no decoded text
// has a byte 0xff.
func appendText(dst []byte, t jsonscan.Text) []byte {
	return append(t.AppendTo(append(dst, '"')), 0xff)
}
