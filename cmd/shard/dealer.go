package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// errEnough ends the reading when --limit is reached.
var errEnough = errors.New("enough lines")

// dealer decides, line after line, what depends on the lines before, and writes.
type dealer struct {
	*plan
	s     *cmdline.Session
	out   *files
	namer record.Namer
	names map[shard.Digest]bool // ids of the form that lines get: whether one got it
	seen  map[seenID]struct{}   // with --dedupe

	lines, bytes int64 // of the blocks before
	bad          int64
	dealt        int64 // good lines that --dedupe and --keep left
	written      int64
	named        int64
	doubles      int64

	meter *cmdline.Meter

	key  []byte
	line []byte          // one with its id
	to   *cmdline.Output // where text goes
	text []byte          // lines that are written together
}

type seenID struct {
	key    shard.Digest
	number bool
}

func newDealer(s *cmdline.Session, p *plan, out *files) *dealer {
	d := &dealer{plan: p, s: s, out: out, names: map[shard.Digest]bool{}, seen: map[seenID]struct{}{}}
	d.meter = s.Meter("lines", false, d.counts())
	return d
}

// deal writes the lines of a block and tells the bad ones, in order.
func (d *dealer) deal(b *jsonl.Block) error {
	t := b.Value.(*batch)
	bad := t.bad
	for i := range t.items {
		it := &t.items[i]
		bad = d.tell(bad, it.nth)
		err := d.item(it, b.Out[it.start:it.end], t.groups[it.group[0]:it.group[1]])
		if err != nil {
			d.lines += it.nth + 1
			return d.end(err)
		}
	}
	d.tell(bad, t.lines)
	d.lines += t.lines
	d.bytes += t.bytes
	d.meter.Update(d.counts(), time.Now())
	if err := d.flush(); err != nil || !b.Idle {
		return err
	}
	return d.out.idle()
}

// end writes what is gathered before an error ends the reading; one of writing
// comes first.
func (d *dealer) end(err error) error {
	if failed := d.flush(); failed != nil {
		return failed
	}
	return err
}

// tell tells the bad lines before a line and returns the others.
func (d *dealer) tell(bad []bad, before int64) []bad {
	for len(bad) > 0 && bad[0].nth < before {
		d.s.Bad(bad[0].line.Pos, bad[0].id, bad[0].err.Error(), bad[0].line.Data)
		d.bad++
		bad = bad[1:]
	}
	return bad
}

// item deals out one line.
func (d *dealer) item(it *item, line, group []byte) error {
	given := line
	if it.slot != nil {
		line = d.name(it, line)
	}
	if cause := d.claim(it); cause != "" {
		d.s.Bad(it.claim.pos, it.claim.id, cause, given[:len(given)-1])
		d.bad++
		return nil
	}
	if !d.admit(it) {
		return nil
	}
	n := d.place(it)
	d.dealt++
	if d.chosen >= 0 && n != d.chosen {
		return nil
	}
	to, err := d.out.output(group, n)
	if err != nil {
		return err
	}
	if err := d.write(to, line); err != nil {
		return err
	}
	if d.written++; d.written == d.limit {
		return errEnough
	}
	return nil
}

// name gives a line its id.
func (d *dealer) name(it *item, line []byte) []byte {
	id := d.namer.Name(line[:len(line)-1])
	d.key = id.AppendKey(d.key[:0])
	it.key = shard.DigestOf(d.key[1:])
	d.line = it.slot.Append(d.line[:0], line, id)
	return d.line
}

// claim notes an id of the form that lines get. It returns a cause when one line
// got the id that another has: no line's id is changed for it.
func (d *dealer) claim(it *item) (cause string) {
	if it.claim == nil {
		return ""
	}
	gets := it.slot != nil
	got, known := d.names[it.key]
	switch {
	case known && gets:
		return fmt.Sprintf("its id would be %q, which a line before has", d.key[1:])
	case known && got:
		return "a line before, without id, was given this one"
	case gets:
		d.named++
	}
	d.names[it.key] = gets
	return ""
}

// admit reports whether --dedupe and --keep leave a line.
func (d *dealer) admit(it *item) bool {
	if d.dedupe != "" {
		id := seenID{it.key, it.number}
		if d.dedupe == "content" {
			id = seenID{key: it.prompt}
		}
		if _, ok := d.seen[id]; ok {
			d.doubles++
			return false
		}
		d.seen[id] = struct{}{}
	}
	return d.keep == 1 || it.key.Kept(d.keep)
}

// place is a line's shard.
func (d *dealer) place(it *item) int {
	switch {
	case it.shard != undecided:
		return it.shard
	case d.rule.By == shard.Hash:
		return d.rule.Of(it.key)
	case d.rule.By == shard.RoundRobin:
		return d.rule.At(d.dealt)
	case d.rule.By == shard.Bytes:
		return d.rule.At(d.bytes + it.offset)
	}
	return d.rule.At(d.lines + it.nth)
}

// write gathers what goes to the same output: a pipe takes it at once.
func (d *dealer) write(to *cmdline.Output, line []byte) error {
	if to != d.to {
		if err := d.flush(); err != nil {
			return err
		}
		d.to = to
	}
	d.text = append(d.text, line...)
	return nil
}

func (d *dealer) flush() error {
	if len(d.text) == 0 {
		return nil
	}
	_, err := d.to.Write(d.text)
	d.text = d.text[:0]
	return err
}
