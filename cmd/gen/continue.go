package main

import (
	"cmp"
	"errors"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// An answer that the token limit cut is gone on with by a request of its own, under
// the same key. Its exchange holds what was answered before, so that it alone is
// the whole answer; the one that was cut is archived as retried.

// parseContinue reads --continue.
func (c *config) parseContinue(s *cmdline.Session) error {
	c.continueTo = s.Int64("continue")
	switch {
	case !s.IsSet("continue"):
	case c.continueTo < 1:
		return cmdline.Usagef("--continue: %d is below 1", c.continueTo)
	case s.IsSet("max-tokens") && c.continueTo <= int64(s.Int("max-tokens")):
		return cmdline.Usagef("--continue: an answer has %d tokens at most, and --max-tokens allows %d at once", c.continueTo, s.Int("max-tokens"))
	case c.builder.API == prompt.Responses:
		return cmdline.WithHint(cmdline.Usagef("--continue: /v1/responses cannot go on with an answer"), "--api chat, completions and generate can")
	case c.builder.TokenIDs:
		return cmdline.Usagef("--continue makes new tokens of what was written, --token-ids keeps those that were sampled: not both")
	}
	return nil
}

// errSpent means that an answer has all the tokens that it may have.
var errSpent = errors.New("the answer has all its tokens")

// more is the request that goes on from a part of w's answer, until it has most
// tokens.
func (w *wanted) more(part record.Part, most int64) (*wanted, error) {
	first := cmp.Or(w.first, w)
	left := most - part.Tokens
	if left < 1 {
		return nil, errSpent
	}
	body, err := prompt.Continue(first.request.Body, w.api, &part, left)
	if err != nil {
		return nil, err
	}
	next := newWanted(w.key, w.api, body)
	next.first, next.part, next.print = first, part, first.print
	next.hash, next.lane, next.meta, next.talk = w.hash, w.lane, w.meta, w.talk
	next.pos, next.line, next.archive, next.group = w.pos, w.line, w.archive, w.group
	return next, nil
}

// cutPart is what there is of an answer that was cut, with the parts before it.
func (l *loop) cutPart(r *result, answer *response.Record) {
	if l.cfg.continueTo == 0 {
		return
	}
	w := r.job.Value
	answer.Continues = w.part
	part, ok := answer.Cut()
	if !ok {
		return
	}
	if part.Tokens == w.part.Tokens { // the server does not count
		part.Tokens += prompt.MaxTokens(w.body())
	}
	r.part = part.Clone()
	r.part.ID = r.exchange.ID
}

// complete prepares the request that goes on from a cut answer, and reports whether
// there is one: then this exchange is no answer yet.
func (l *loop) complete(r *result) bool {
	if r.part.ID == "" {
		return false
	}
	more, err := r.job.Value.more(r.part, l.cfg.continueTo)
	if err != nil {
		return false
	}
	r.more, r.exchange.Retried = more, true
	r.seen.ok, r.seen.rules = true, nil // cut for now
	return true
}

// part is the request that goes on from where an earlier run's answer was cut; nil
// when there is none.
func (l *loop) part(w *wanted) *wanted {
	part, ok := l.past.part(w.hash)
	if !ok {
		return nil
	}
	more, err := w.more(part, l.cfg.continueTo)
	if err != nil {
		return nil
	}
	return more
}

// unfinished is part for what the archive settles, and makes it wanted again. What
// died behind its first part is dead.
func (l *loop) unfinished(w *wanted, e entry) *wanted {
	if e.state != done {
		return nil
	}
	more := l.part(w)
	if more != nil {
		l.ledger.reopen(w.hash)
	}
	return more
}

// reopen makes an answer wanted that the archive has in part.
func (l *ledger) reopen(hash uint64) {
	e := l.entries[hash]
	e.state = pending
	l.entries[hash] = e
}
