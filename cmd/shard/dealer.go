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
	names map[shard.Digest]bool     // ids of the form that lines get: whether one got it
	seen  map[shard.Digest]struct{} // with --dedupe
	spool *spool                    // with --shuffle

	lines, bytes int64 // of the blocks before
	bad          int64
	dealt        int64 // good lines that --dedupe, --exclude and --keep left
	dealtBytes   int64 // of them, after a shuffle
	written      int64
	named        int64
	doubles      int64
	known        int64 // answered in an archive

	meter *cmdline.Meter

	key  []byte
	buf  []byte // of look-ups
	line []byte // one with its id
	text []byte // lines that go to the single output together
}

func newDealer(s *cmdline.Session, p *plan, out *files) *dealer {
	d := &dealer{plan: p, s: s, out: out, names: map[shard.Digest]bool{}, seen: map[shard.Digest]struct{}{}}
	if p.shuffle {
		d.spool = newSpool(p)
	}
	d.meter = s.Meter("lines", false, d.counts())
	return d
}

// free gives back temporary files.
func (d *dealer) free() {
	if d.spool != nil {
		d.spool.sorter.Close()
	}
}

// deal writes the lines of a block and tells the bad ones, in order.
func (d *dealer) deal(b *jsonl.Block) error {
	t := b.Value.(*batch)
	bad := t.bad
	for i := range t.items {
		it := &t.items[i]
		var err error
		if bad, err = d.tell(bad, it.nth); err == nil {
			err = d.item(it, it.text, t.groups[it.group[0]:it.group[1]])
		}
		if err != nil {
			d.lines += it.nth + 1
			return d.stop(err)
		}
	}
	if _, err := d.tell(bad, t.lines); err != nil {
		return err
	}
	d.lines += t.lines
	d.bytes += t.bytes
	d.meter.Update(d.counts(), time.Now())
	if err := d.flush(); err != nil || !b.Idle {
		return err
	}
	return d.out.idle()
}

// stop writes what is gathered before an error ends the reading; one of writing
// comes first.
func (d *dealer) stop(err error) error {
	if failed := d.flush(); failed != nil {
		return failed
	}
	return err
}

// tell tells the bad lines before a line and returns the others.
func (d *dealer) tell(bad []bad, before int64) ([]bad, error) {
	for len(bad) > 0 && bad[0].nth < before {
		var failed *lookUpError
		switch {
		case errors.Is(bad[0].err, errArchive):
			return nil, refuseArchive(bad[0].line.Pos)
		case errors.As(bad[0].err, &failed):
			return nil, failed.error
		}
		d.s.Bad(bad[0].line.Pos, bad[0].id, bad[0].err.Error(), bad[0].line.Data)
		d.bad++
		bad = bad[1:]
	}
	return bad, nil
}

// item deals out one line, or keeps it for a shuffle.
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
	if ok, err := d.admit(it); !ok {
		return err
	}
	if d.spool != nil {
		if err := d.spool.add(d.lines+it.nth, it, line, group); err != nil {
			return withTmpHint(err) // which would allocate for a nil, too
		}
		return nil
	}
	n := d.place(it)
	d.dealt++
	return d.send(it, n, line, group)
}

// name gives a line its id.
func (d *dealer) name(it *item, line []byte) []byte {
	id := d.namer.NameHash(it.hash)
	it.key, d.key = shard.DigestOfID(id, d.key)
	d.line = it.slot.Append(d.line[:0], line, id.String())
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

// admit reports whether --dedupe, --exclude and --keep leave a line.
func (d *dealer) admit(it *item) (ok bool, err error) {
	if d.dedupe != "" {
		key := it.key
		if d.dedupe == "content" {
			key = it.prompt
		}
		if _, ok := d.seen[key]; ok {
			d.doubles++
			return false, nil
		}
		d.seen[key] = struct{}{}
	}
	if it.slot != nil && d.answered != nil {
		if it.answered, d.buf, err = d.answered.Has(it.key, d.buf); err != nil {
			return false, err
		}
	}
	if it.answered {
		d.known++
		return false, nil
	}
	return d.keep == 1 || it.key.Kept(d.keep), nil
}

// place is a line's shard.
func (d *dealer) place(it *item) int {
	switch {
	case it.shard == undecided && d.rule.By == shard.Bytes:
		return d.rule.At(d.bytes + it.offset)
	case it.shard == undecided && d.rule.By == shard.Range:
		return d.rule.At(d.lines + it.nth)
	}
	return d.placeDealt(it)
}

// send writes a line of shard n, if that is wanted.
func (d *dealer) send(it *item, n int, line, group []byte) error {
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
	if to.sum != nil {
		to.sum.add(line, it.key)
		if err := d.out.order.add(to.number); err != nil {
			return err
		}
	}
	if d.written++; d.written == d.limit {
		return errEnough
	}
	return nil
}

// write gathers what goes to a single output: a pipe takes it at once. The files of
// a template gather by themselves.
func (d *dealer) write(to *member, line []byte) error {
	if to != d.out.single {
		_, err := to.Write(line)
		return err
	}
	if len(d.text) > maxText {
		if err := d.flush(); err != nil {
			return err
		}
	}
	d.text = append(d.text, line...)
	return nil
}

// maxText is how much is gathered between two blocks, which a shuffle has not.
const maxText = 1 << 20

func (d *dealer) flush() error {
	if len(d.text) == 0 {
		return nil
	}
	_, err := d.out.single.Write(d.text)
	d.text = d.text[:0]
	return err
}
