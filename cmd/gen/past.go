package main

import (
	"bufio"
	"errors"
	"os"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
)

// past is what the answers of an archive put into the histories of later turns,
// in a file without a name: conversations that were cut off go on from there.
// Memory holds 32 bytes for each answer.
type past struct {
	*listener
	file  *os.File
	out   *bufio.Writer
	end   int64
	spans map[uint64]span  // by the hash of the key
	unfit map[uint64]error // answers that nothing can follow
}

// span is where an answer stands: its two messages.
type span struct {
	at             int64
	message, later uint32 // bytes
}

func newPast(c *config) (*past, error) {
	to, err := newListener(c)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "gen-past-")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	return &past{listener: to, file: file, out: bufio.NewWriter(file), spans: map[uint64]span{}, unfit: map[uint64]error{}}, nil
}

// keep takes note of an archived answer. Of several under one key the last
// counts: it belongs to the run that came last.
func (p *past) keep(hash uint64, line jsonscan.Value) error {
	delete(p.unfit, hash)
	answer, err := p.answer(line)
	if err != nil {
		p.unfit[hash] = err
		return nil
	}
	at := span{at: p.end, message: uint32(len(answer.Message)), later: uint32(len(answer.Later))}
	p.spans[hash] = at
	p.end += int64(len(answer.Message) + len(answer.Later))
	p.out.Write(answer.Message)
	_, err = p.out.Write(answer.Later) // the error of both
	return err
}

// follow is the turn after an archived answer.
func (p *past) follow(w *wanted, b *prompt.Builder) (*wanted, error) {
	at, known := p.spans[w.hash]
	if err := p.unfit[w.hash]; err != nil {
		return nil, err
	}
	if !known {
		return nil, errors.New("the archived answer was not read")
	}
	if err := p.out.Flush(); err != nil {
		return nil, err
	}
	both := make([]byte, at.message+at.later)
	if _, err := p.file.ReadAt(both, at.at); err != nil {
		return nil, err
	}
	return w.follow(b, prompt.Answer{Message: both[:at.message:at.message], Later: both[at.message:]})
}

// close gives the file back.
func (p *past) close() {
	if p != nil {
		p.file.Close()
	}
}
