package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// batch is what a worker finds out about a block.
type batch struct {
	items  []item
	bad    []bad
	groups []byte
	lines  int64 // all, those that the dealer need not see, too
	bytes  int64 // of all lines, with a newline each
}

// item is a good line.
type item struct {
	text     []byte          // what it is, with its newline
	nth      int64           // line of the block, from 0
	offset   int64           // bytes of the block's lines before it
	key      shard.Digest    // of the id
	prompt   shard.Digest    // of what is asked, for --dedupe content
	hash     record.LineHash // of a line that gets an id
	slot     *shard.Slot     // where the id goes that it has not got yet
	answered bool            // in an archive of --exclude
	claim    *claim          // of a line that gets an id, or has one that another may get
	shard    int             // undecided when it goes by place or by an id to come
	group    [2]int          // in groups
}

const undecided = -1

// claim is what to tell of a line when the id it has or gets is another's.
type claim struct {
	pos jsonl.Pos
	id  string // that it has
}

// bad is a line that is none of ours.
type bad struct {
	line jsonl.Line
	nth  int64 // line of the block, from 0
	id   string
	err  error
}

var (
	errNoObject = errors.New("not a JSON object")
	errArray    = errors.New("not a JSON object but an array")
	errNoID     = errors.New("no id")
)

// withFlag adds to a cause the flag of shard that helps, which merge has not.
func (w *worker) withFlag(cause error, help string) error {
	if w.joins {
		return cause
	}
	return fmt.Errorf("%w; %s", cause, help)
}

// worker understands lines. There is one for each goroutine.
type worker struct {
	*plan
	doc     jsonscan.Doc
	prompts prompt.Reader
	key     []byte
	buf     []byte // of look-ups
	laned   []byte // a line with its lane
}

// read makes a block's batch.
func (w *worker) read(b *jsonl.Block) {
	t, ok := b.Value.(*batch)
	if !ok {
		t = &batch{}
		b.Value = t
	}
	clear(t.items) // they would hold the memory of a giant line
	*t = batch{items: t.items[:0], bad: t.bad[:0], groups: t.groups[:0]}
	for line := range b.Lines() {
		it, text, err := w.line(t, line)
		switch {
		case err != nil:
			id := record.PromptID(w.doc.Root(), w.idField).String()
			t.bad = append(t.bad, bad{line, t.lines, id, err})
		case w.passes(&it):
			it.text = w.ended(b, text)
			t.items = append(t.items, it)
		}
		t.lines++
		t.bytes += int64(len(line.Data)) + 1
	}
}

// ended is a line of a block with its newline: where the input has it, or, when none
// follows there or the line was changed, a copy in Out. Two copies less of each line
// are a tenth of the time a split takes.
func (w *worker) ended(b *jsonl.Block, line []byte) []byte {
	if n := len(line); w.longWhen == nil && n < cap(line) && line[:n+1][n] == '\n' {
		return line[:n+1]
	}
	start := len(b.Out)
	b.Out = append(append(b.Out, line...), '\n')
	return b.Out[start:]
}

// passes reports whether the dealer must see a line: it need not for another
// shard's, unless that line counts as seen or named.
func (w *worker) passes(it *item) bool {
	return w.chosen < 0 || it.shard < 0 || it.shard == w.chosen || it.claim != nil || w.dedupe != ""
}

// line finds out what can be said of a line without its neighbours, and what it
// is when it has its lane.
func (w *worker) line(t *batch, line jsonl.Line) (it item, text []byte, err error) {
	if err := w.scan(line); err != nil {
		return it, nil, err
	}
	text = line.Data
	if w.longWhen != nil {
		if text, err = w.lane(text); err != nil {
			return it, nil, err
		}
	}
	root := w.doc.Root()
	if it, err = w.place(root, line); err != nil {
		return it, nil, err
	}
	if err = w.content(&it, root); err != nil {
		return it, nil, err
	}
	it.nth, it.offset = t.lines, t.bytes
	if w.template != nil {
		start := len(t.groups)
		if t.groups, err = w.template.AppendGroup(t.groups, root, w.rule.N); err != nil {
			return it, nil, err
		}
		it.group = [2]int{start, len(t.groups)}
	}
	if path := w.doc.Duplicate(); path != "" {
		return it, nil, fmt.Errorf("duplicate key %.80q", path)
	}
	return it, text, nil
}

// scan refuses what is no object, or no prompt.
func (w *worker) scan(line jsonl.Line) error {
	if line.TooLong {
		w.doc.Scan(nil)
		return fmt.Errorf("longer than --max-line-bytes; it begins %.40q", line.Data)
	}
	if err := w.doc.Scan(line.Data); err != nil {
		return err
	}
	switch root := w.doc.Root(); {
	case root.Kind() == jsonscan.Array && w.fromJSON:
		return errArray
	case root.Kind() == jsonscan.Array:
		return w.withFlag(errArray, "--from json makes a line of each element")
	case root.Kind() != jsonscan.Object:
		return errNoObject
	case w.answered != nil && isArchived(root):
		return errArchive
	}
	return nil
}

// place reads the id and decides the shard where the line's content does.
func (w *worker) place(root jsonscan.Value, line jsonl.Line) (it item, err error) {
	it.shard = undecided
	if w.needsID() {
		if err := w.identify(&it, root, line); err != nil {
			return it, err
		}
	}
	switch {
	case w.rule.By == shard.Field:
		if w.key, err = shard.AppendValue(w.key[:0], root.Get(w.rule.Path...)); err != nil {
			return it, fmt.Errorf("field %q %w", strings.Join(w.rule.Path, "."), err)
		}
		it.shard = w.rule.OfKey(w.key)
	case w.rule.N == 1:
		it.shard = 0
	case w.rule.By == shard.Hash && it.slot == nil:
		it.shard = w.rule.Of(it.key)
	}
	return it, nil
}

// identify reads the id, or finds where one goes. A line that has none and gets
// none goes by the name that gen will give it, identical lines together.
func (w *worker) identify(it *item, root jsonscan.Value, line jsonl.Line) error {
	id := record.PromptID(root, w.idField)
	switch {
	case !id.IsZero():
		it.key, w.key = shard.DigestOfID(id, w.key)
		if w.assign && w.key[0] == '"' && shard.IsName(w.key[1:]) {
			it.claim = &claim{line.Pos, id.String()}
		}
		return w.lookUp(it)
	case w.assign:
		key := w.idField
		if key == "" {
			key = "id"
		}
		slot, err := shard.SlotFor(root, key)
		if err != nil {
			return fmt.Errorf("the id in %w", err)
		}
		it.slot, it.claim, it.hash = &slot, &claim{pos: line.Pos}, record.HashOf(line.Data)
		return nil
	case w.idField != "":
		return fmt.Errorf("no id in field %q", w.idField)
	case w.mustHaveID():
		return w.withFlag(errNoID, "--assign-ids gives it one")
	}
	w.key = record.AppendName(w.key[:0], line.Data)
	it.key = shard.DigestOf(w.key)
	return nil
}

// lookUp finds out whether an archive answers a line.
func (w *worker) lookUp(it *item) (err error) {
	if w.answered == nil {
		return nil
	}
	if it.answered, w.buf, err = w.answered.Has(it.key, w.buf); err != nil {
		return &lookUpError{err}
	}
	return nil
}

// lookUpError ends the run: no line is to blame for it.
type lookUpError struct{ error }
