package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
)

// talk is one sample of a conversation of which every answer is asked: each turn
// on the answers to those before it. One goroutine at a time has it: that of the
// turn at hand, and the loop's between two turns.
type talk struct {
	first   *wanted
	script  *prompt.Script
	hashes  []uint64        // of the keys of all turns
	record  uint64          // hash of what was recorded
	answers []prompt.Answer // to the turns before the one at hand
}

// converse makes a wanted answer the first of its conversation.
func (f *feed) converse(w *wanted, script *prompt.Script) {
	if script == nil || script.Len() == 1 {
		return
	}
	w.talk = &talk{first: w, script: script, record: f.hasher.Bytes(script.AppendKey(nil))}
	for turn := range script.Len() {
		key := w.key
		key.Turn = turn
		w.talk.hashes = append(w.talk.hashes, f.hasher.Hash(key))
	}
}

// which says which of a line's answers it is: the sample, and the turn of a
// conversation; "" where there is one.
func (l *loop) which(w *wanted) (s string) {
	if l.cfg.samples > 1 {
		s = fmt.Sprintf("sample %d: ", w.key.Sample)
	}
	if w.talk != nil {
		s += fmt.Sprintf("turn %d of %d: ", w.key.Turn+1, w.talk.script.Len())
	}
	return s
}

// turns is how many answers a wanted one stands for when it comes in.
func (w *wanted) turns() int64 { return int64(len(w.rest())) + 1 }

// rest are the hashes of the turns after it.
func (w *wanted) rest() []uint64 {
	if w.talk == nil {
		return nil
	}
	return w.talk.hashes[w.key.Turn+1:]
}

// follow is the turn after w's answer, nil when there is none. The error says why
// the conversation ends here.
func (w *wanted) follow(b *prompt.Builder, answer prompt.Answer) (*wanted, error) {
	t := w.talk
	t.answers = append(t.answers, answer)
	if len(t.answers) == t.script.Len() {
		return nil, nil
	}
	body, err := b.Turn(t.first.request.Body, w.api, t.script, t.answers)
	if err != nil {
		return nil, err
	}
	key := w.key
	key.Turn++
	next := newWanted(key, w.api, body)
	next.hash, next.lane, next.meta = t.hashes[key.Turn], w.lane, w.meta
	next.pos, next.line, next.archive, next.group, next.talk = w.pos, w.line, w.archive, w.group, t
	return next, nil
}

// listener makes entries of the history of archived lines. It is not safe for
// concurrent use; what it returns is the caller's.
type listener struct {
	history   prompt.History
	extractor *extractor.Extractor
	doc       jsonscan.Doc
}

func newListener(c *config) (*listener, error) {
	x, err := extractor.New(extractor.Config{Family: c.family})
	return &listener{history: c.history, extractor: x}, err
}

// answer is what goes into the history of a scanned line.
func (l *listener) answer(line jsonscan.Value) (prompt.Answer, error) {
	r, err := l.extractor.Line(line)
	switch {
	case err != nil:
		return prompt.Answer{}, err
	case len(r.Samples) == 0:
		return prompt.Answer{}, errors.New("there is no answer")
	}
	return l.history.Answer(&r.Samples[0])
}

// follow prepares the turn after an answer, in the goroutine that got it. What is
// archived is read, as a resumed run will read it.
func (l *loop) follow(r *result) {
	w := r.job.Value
	if len(w.rest()) == 0 {
		return
	}
	to, _ := l.listeners.Get().(*listener)
	if to == nil {
		to, r.ended = newListener(l.cfg)
	}
	defer l.listeners.Put(to)
	if r.ended = errors.Join(r.ended, to.doc.Scan(r.line)); r.ended != nil {
		return
	}
	var answer prompt.Answer
	if answer, r.ended = to.answer(to.doc.Root()); r.ended == nil {
		r.next, r.ended = w.follow(&l.cfg.builder, answer)
	}
}

// goOn asks the next turn of a conversation, or accounts for those that are not
// asked any more.
func (l *loop) goOn(r *result, settles state) {
	w := r.job.Value
	switch {
	case len(w.rest()) == 0:
	case settles == failed, settles == dead:
		l.leave(w, settles)
	case settles != done:
	case r.ended != nil:
		l.end(w, r.ended)
	default:
		l.ask(r.next)
	}
}

// end ends a conversation behind w's answer: what follows cannot be asked.
func (l *loop) end(w *wanted, reason error) {
	l.s.Bad(w.pos, w.key.ID.String(), l.which(w)+"the conversation ends after it: "+reason.Error(), w.line)
	l.leave(w, dead)
}

// leave counts the turns after w, which nobody asks, as w's own state says.
func (l *loop) leave(w *wanted, s state) {
	for _, hash := range w.rest() {
		l.settled(w.lane, w.group, s, l.ledger.settle(hash, s))
	}
}

// another reports whether a conversation that begins like one before it under the
// same id goes on in another way.
func (l *ledger) another(w *wanted) bool {
	var record uint64 // of what is no conversation
	if w.talk != nil {
		record = w.talk.record
	}
	if l.entries[w.hash].times > 0 {
		return l.talks[w.hash] != record
	}
	if record != 0 {
		l.talks[w.hash] = record
	}
	return false
}

// expect admits the turns after the first, which are wanted but not asked yet.
func (l *loop) expect(w *wanted) {
	for _, hash := range w.rest() {
		l.settled(w.lane, w.group, l.ledger.expect(hash), 1)
	}
}

// goBack follows a conversation through the answers that the archive has, up to
// the first turn that it lacks.
func (l *loop) goBack(w *wanted) {
	for len(w.rest()) > 0 {
		next, err := l.past.follow(w, &l.cfg.builder)
		if err != nil {
			l.end(w, err)
			return
		}
		w = next
		switch verdict, e := l.ledger.reach(w.hash, w.print, l.cfg.policy, l.cfg.folder); verdict {
		case have:
			if more := l.unfinished(w, e); more != nil {
				l.ask(more)
				return
			}
			l.settled(w.lane, w.group, e.state, l.ledger.settle(w.hash, e.state))
			if e.state == dead {
				l.deadBefore(w, e)
				l.leave(w, dead)
				return
			}
			l.tally.before += l.ledger.times(w.hash)
		case changed:
			l.stop(l.changedRequest(w))
			return
		default:
			l.ask(cmp.Or(l.part(w), w))
			return
		}
	}
}

// compare holds the archived turns of a conversation against those that this run
// would ask.
func (l *loop) compare(w *wanted) error {
	for len(w.rest()) > 0 && l.ledger.entries[w.hash].state == done && !l.cfg.folder {
		next, err := l.past.follow(w, &l.cfg.builder)
		if err != nil {
			return nil // told when it is asked
		}
		if w = next; l.ledger.entries[w.hash].differs(w.print) {
			return l.changedRequest(w)
		}
	}
	return nil
}

// parseHistory reads what goes into the history of later turns.
func (c *config) parseHistory(s *cmdline.Session) error {
	c.history = prompt.History{Reasoning: s.String("history-reasoning"), Key: s.String("history-key")}
	switch c.history.Reasoning {
	case "", prompt.Keep, prompt.Drop:
	default:
		return cmdline.Usagef("--history-reasoning: %s is not keep or drop", cmdline.Quote(c.history.Reasoning))
	}
	for _, flag := range []string{"history-reasoning", "history-key"} {
		if s.IsSet(flag) && c.reader.Turns != prompt.AllTurns {
			return cmdline.Usagef("--%s needs --turns all", flag)
		}
	}
	return nil
}
