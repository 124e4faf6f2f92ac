package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// repairer changes two values of a line.
type repairer struct {
	reasoning, content []string // paths, nil for what the line's shape says
	edits              []edit
	root               jsonscan.Value // of the line, or of the body that it holds as text
	record             *response.Record
	packed             packed
	has                bool // the answer at hand has thinking already
}

// edit puts text in the place of some bytes.
type edit struct {
	start, end int
	text       []byte
}

func newRepairer(c *config) repairer {
	var r repairer
	if c.contentKey != "" {
		r.content = strings.Split(c.contentKey, ".")
	}
	if c.reasoningKey != "" {
		r.reasoning = strings.Split(c.reasoningKey, ".")
	}
	return r
}

// mend writes a line, its reasoning and content as the samples say. A failed
// attempt has nothing to mend and stays as it is; so does a line in which no
// answer is found, or one that stands where two values cannot be changed, but
// that is told.
func (w *worker) mend(line jsonl.Line, r *extractor.Result, err error) {
	root := w.doc.Root()
	w.repair.begin(root, r)
	if err != nil && root.Duplicate() == "" {
		w.bad(line, r.Key.ID.String(), "no answer to repair was found, the line stays as it is; --content-key says where it is")
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		w.tally.count(s.Status)
		if err := w.repair.answer(i, s); err != nil {
			w.bad(line, r.Key.ID.String(), err.Error())
		}
		if slices.Contains(s.Extract.Flags, reasoning.FlagMarkerInContent) {
			w.tally.marked++
		}
	}
	if path := root.Duplicate(); path != "" {
		w.bad(line, r.Key.ID.String(), fmt.Sprintf("duplicate key %.80q", path))
		return
	}
	if len(w.repair.edits) == 0 {
		w.tally.kept++
	} else {
		w.tally.repaired++
		if root.Get("response", "sha256").Exists() {
			w.tally.sealed++
		}
	}
	w.out = append(w.repair.apply(w.out, line.Data), '\n')
}

// begin takes a line up. A body that was kept as text is repaired in there.
func (r *repairer) begin(root jsonscan.Value, result *extractor.Result) {
	r.edits, r.root, r.record = r.edits[:0], root, result.Record
	r.packed.text = jsonscan.Text{}
	if r.content == nil && r.record != nil && r.record.Failure == nil {
		if body, ok := r.packed.open(root, r.record.Shape); ok {
			r.root = body
		}
	}
}

// answer repairs the n-th answer. The error says why it cannot be, although
// thinking stands in its content.
func (r *repairer) answer(n int, s *record.Sample) error {
	known := len(r.edits)
	err := r.sample(r.root, n, s)
	switch {
	case err != nil || r.record == nil || len(r.edits) > known || r.has || same(contentOf(&r.record.Choices[n]), s.Content):
		return err
	case strings.HasSuffix(r.record.Shape, " stream"):
		return errors.New("the thinking stands in the deltas of a stream, the line stays as it is; extract makes a sample of it")
	}
	return errors.New("the thinking stands where no two values can be changed, the line stays as it is; --content-key and --reasoning-key say which they are, and extract makes a sample of it")
}

// contentOf is the content of an answer before it was split.
func contentOf(c *response.Choice) (whole jsonscan.Text) {
	for _, g := range c.Segments {
		if g.Kind == response.Content {
			whole.Raw = append(whole.Raw, g.Text.Raw...)
		}
	}
	return whole
}

// apply appends the line with its edits.
func (r *repairer) apply(dst, line []byte) []byte {
	r.packed.repack(r.edits)
	slices.SortFunc(r.edits, func(a, b edit) int { return a.start - b.start })
	at := 0
	for _, e := range r.edits {
		dst = append(append(dst, line[at:e.start]...), e.text...)
		at = e.end
	}
	return append(dst, line[at:]...)
}

// sample finds where the n-th answer of a line stands and edits it there. The
// error says that there is no place for the reasoning; then nothing is edited.
func (r *repairer) sample(root jsonscan.Value, n int, s *record.Sample) error {
	r.has = false
	holder, content := r.place(root, n)
	beside := true
	if parts := content; parts.Kind() == jsonscan.Array && parts.Len() == 1 {
		content, beside = parts.Index(0).Get("text"), false
	}
	if content.Kind() != jsonscan.String || same(content.Text(), s.Content) {
		return nil
	}
	if r.record != nil && !same(content.Text(), contentOf(&r.record.Choices[n])) {
		return nil // another text than the one that was split
	}
	name, field := r.field(root, holder)
	switch {
	case field.Len() > 0 || field.Kind() > jsonscan.Null && field.Kind() < jsonscan.String:
		return fmt.Errorf("%s holds no text but %s, the line stays as it is", name, field.Kind())
	case field.Kind() == jsonscan.String && !same(field.Text(), s.Reasoning) && field.Text().Len() > 0:
		r.has = true // it is not ours to change
		return nil
	case field.Exists():
		r.edit(content, s.Content.AppendQuoted(nil))
		r.edit(field, s.Reasoning.AppendQuoted(nil))
	case r.reasoning == nil && !beside:
		r.put(holder, name, content, s)
	case r.reasoning == nil || follow(root, r.reasoning[:len(r.reasoning)-1]) == holder:
		text := s.Content.AppendQuoted(nil)
		text = jsonscan.AppendString(append(text, ','), name)
		r.edit(content, s.Reasoning.AppendQuoted(append(text, ':')))
	default:
		return r.elsewhere(root, name, content, s)
	}
	return nil
}

// elsewhere puts the reasoning into another object than the one that holds the content.
func (r *repairer) elsewhere(root jsonscan.Value, name string, content jsonscan.Value, s *record.Sample) error {
	parent := follow(root, r.reasoning[:len(r.reasoning)-1])
	if parent.Kind() != jsonscan.Object {
		return fmt.Errorf("--reasoning-key %s: there is no object to put it into, the line stays as it is", strings.Join(r.reasoning, "."))
	}
	r.put(parent, name, content, s)
	return nil
}

// put puts the reasoning first into an object.
func (r *repairer) put(parent jsonscan.Value, name string, content jsonscan.Value, s *record.Sample) {
	text := s.Reasoning.AppendQuoted(append(jsonscan.AppendString(nil, name), ':'))
	if parent.Len() > 0 {
		text = append(text, ',')
	}
	at := parent.Offset() + 1
	r.edits = append(r.edits, edit{at, at, text})
	r.edit(content, s.Content.AppendQuoted(nil))
}

func (r *repairer) edit(v jsonscan.Value, text []byte) {
	r.edits = append(r.edits, edit{v.Offset(), v.Offset() + len(v.Raw()), text})
}

func same(a, b jsonscan.Text) bool { return string(a.Raw) == string(b.Raw) }

// place is the object that holds the n-th answer, and the answer.
func (r *repairer) place(root jsonscan.Value, n int) (holder, content jsonscan.Value) {
	if r.content != nil {
		last := len(r.content) - 1
		return follow(root, r.content[:last]), follow(root, r.content)
	}
	for _, body := range [...]jsonscan.Value{
		root.Get("response", "body"), root.Get("response"), root.Get("raw_response"), root.Get("model_output"), root.Get("body"),
		root.Get("response_body"), root.Get("output"), root.Get("outputs"), root.Get("batch_result", "response", "chat_get_completion"), root,
	} {
		if c := body.Get("choices").Index(n); c.Exists() {
			if m := c.Get("message"); m.Exists() {
				return m, m.Get("content")
			}
			return c, c.Get("text")
		}
		if m := r.message(body); m.Exists() {
			return m, m.Get("content")
		}
	}
	if m := lastMessage(root); m.Exists() {
		if m.Get("value").Exists() {
			return m, m.Get("value")
		}
		return m, m.Get("content")
	}
	if c := root.Get("content"); c.Exists() {
		return root, c
	}
	return root, root.Get("response")
}

// message is the one that stands in the place of a body.
func (r *repairer) message(body jsonscan.Value) jsonscan.Value {
	switch {
	case r.record == nil || r.record.Shape != "message" && r.record.Shape != "cohere":
		return jsonscan.Value{}
	case body.Get("content").Exists():
		return body
	}
	return body.Get("message")
}

// lastMessage is the answer that ends a conversation, or Ollama's only message.
func lastMessage(root jsonscan.Value) (last jsonscan.Value) {
	if m := root.Get("message"); m.Exists() {
		return m
	}
	for _, key := range [...]string{"messages", "conversations", "conversation"} {
		if root.Get("content").Exists() {
			break // what was asked stands beside a flat record
		}
		for _, m := range root.Get(key).Elements() {
			last = m
		}
	}
	return last
}

// reasoningKeys are the names of the field; the first is put where none is there.
var reasoningKeys = [...]string{"reasoning_content", "reasoning", "thinking", "reasoning_text"}

// field is the reasoning beside an answer, and the name it gets when there is none.
func (r *repairer) field(root, holder jsonscan.Value) (name string, v jsonscan.Value) {
	if r.reasoning != nil {
		return r.reasoning[len(r.reasoning)-1], follow(root, r.reasoning)
	}
	for _, key := range reasoningKeys {
		if v := holder.Get(key); v.Exists() {
			return key, v
		}
	}
	if holder == root {
		return "reasoning", v
	}
	return reasoningKeys[0], v
}

// follow goes along keys and, in arrays, indexes.
func follow(v jsonscan.Value, path []string) jsonscan.Value {
	for _, key := range path {
		if v.Kind() != jsonscan.Array {
			v = v.Get(key)
			continue
		}
		n, err := strconv.Atoi(key)
		if err != nil {
			return jsonscan.Value{}
		}
		v = v.Index(n)
	}
	return v
}
