package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/progress"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// good is the number of lines that are none of the bad.
func (d *dealer) good() int64 { return d.lines - d.bad }

func (d *dealer) counts() progress.Counts {
	return progress.Counts{Total: -1, Done: d.good(), Bad: d.bad, Tokens: -1}
}

// check tells an input that changed between its two readings.
func (d *dealer) check() error {
	read := d.lines
	if d.rule.By == shard.Bytes {
		read = d.bytes
	}
	if d.rule.Counts() && !d.shuffle && read != d.rule.Total {
		return errors.New("an input changed while it was read: the shards are not of equal size")
	}
	return nil
}

// close says what was done.
func (d *dealer) close() {
	d.meter.Finish(d.counts(), time.Now())
	if d.lines == 0 {
		if d.template != nil {
			d.s.Warn("no lines in the input: no file was written")
		} else {
			d.s.Warn("no lines in the input")
		}
		return
	}
	parts := []string{count(d.written, "line")}
	if good := d.good(); d.written != good {
		parts[0] = fmt.Sprintf("%d of %s", d.written, count(good, "line"))
	}
	if d.template != nil {
		parts[0] += " into " + count(int64(d.out.count), "file")
	}
	if d.named > 0 {
		parts = append(parts, count(d.named, "id")+" assigned")
	}
	if d.doubles > 0 {
		parts = append(parts, count(d.doubles, "line")+" dropped whose "+d.dedupe+" was there before")
	}
	if d.known > 0 {
		parts = append(parts, count(d.known, "line")+" left out that an archive answers")
	}
	d.s.Wrote(strings.Join(parts, ", "))
}

func count(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
