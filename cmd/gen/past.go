package main

import (
	"bufio"
	"errors"
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// past is what a run goes on from: what the answers of an archive put into the
// histories of later turns, and the parts of answers that were cut. It is in a file
// without a name; memory holds 32 bytes for each.
type past struct {
	listener *listener // nil when no conversation goes on
	parts    bool      // cut answers are gone on with
	file     *os.File
	out      *bufio.Writer
	end      int64
	answers  map[uint64]span // by the hash of the key
	cut      map[uint64]span
	unfit    map[uint64]error // answers that nothing can follow
}

// span is where two texts stand, one after the other.
type span struct {
	at            int64
	first, second uint32 // bytes
}

// newPast is nil for a run that goes on with nothing.
func newPast(c *config) (*past, error) {
	p := &past{parts: c.continueTo > 0, answers: map[uint64]span{}, cut: map[uint64]span{}, unfit: map[uint64]error{}}
	var err error
	if c.reader.Turns == prompt.AllTurns {
		if p.listener, err = newListener(c); err != nil {
			return nil, err
		}
	}
	if p.listener == nil && !p.parts {
		return nil, nil
	}
	if p.file, err = jsonl.TempFile(""); err != nil {
		return nil, cmdline.WithHint(err, "what later turns and cut answers go on from is kept in a file there; the environment variable TMPDIR names another folder")
	}
	p.out = bufio.NewWriter(p.file)
	return p, nil
}

// keep takes note of an archived answer. Of several under one key the last
// counts: it belongs to the run that came last.
func (p *past) keep(hash uint64, line jsonscan.Value, r *response.Record) error {
	if p == nil || r.Failure != nil {
		return nil
	}
	return errors.Join(p.keepAnswer(hash, line), p.keepPart(hash, line, r))
}

func (p *past) keepAnswer(hash uint64, line jsonscan.Value) error {
	if p.listener == nil {
		return nil
	}
	delete(p.unfit, hash)
	answer, err := p.listener.answer(line)
	if err != nil {
		p.unfit[hash] = err
		return nil
	}
	p.answers[hash], err = p.write(answer.Message, answer.Later)
	return err
}

func (p *past) keepPart(hash uint64, line jsonscan.Value, r *response.Record) (err error) {
	delete(p.cut, hash)
	part, ok := r.Cut()
	if !p.parts || !ok {
		return nil
	}
	if part.Tokens == r.Continues.Tokens { // the server did not count
		part.Tokens += prompt.MaxTokens(r.Request.Raw())
	}
	part.ID = line.Get("id").Text().String()
	p.cut[hash], err = p.write(part.AppendJSON(nil), nil)
	return err
}

func (p *past) write(first, second []byte) (span, error) {
	s := span{p.end, uint32(len(first)), uint32(len(second))}
	p.end += int64(len(first) + len(second))
	p.out.Write(first)
	_, err := p.out.Write(second) // the error of both
	return s, err
}

func (p *past) read(s span) (first, second []byte, err error) {
	both := make([]byte, s.first+s.second)
	if err = p.out.Flush(); err == nil {
		_, err = p.file.ReadAt(both, s.at)
	}
	return both[:s.first:s.first], both[s.first:], err
}

// follow is the turn after an archived answer.
func (p *past) follow(w *wanted, b *prompt.Builder) (*wanted, error) {
	at, known := p.answers[w.hash]
	if err := p.unfit[w.hash]; err != nil {
		return nil, err
	}
	if !known {
		return nil, errors.New("the archived answer was not read")
	}
	message, later, err := p.read(at)
	if err != nil {
		return nil, err
	}
	return w.follow(b, prompt.Answer{Message: message, Later: later})
}

// part is what there is of an answer that was cut.
func (p *past) part(hash uint64) (record.Part, bool) {
	if p == nil {
		return record.Part{}, false
	}
	at, ok := p.cut[hash]
	if !ok {
		return record.Part{}, false
	}
	raw, _, err := p.read(at)
	var d jsonscan.Doc
	if err != nil || d.Scan(raw) != nil {
		return record.Part{}, false
	}
	return record.ReadPart(d.Root()), true
}

// close gives the file back.
func (p *past) close() {
	if p != nil {
		p.file.Close()
	}
}
