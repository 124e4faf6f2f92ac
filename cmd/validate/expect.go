package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// prompts are the lines of --expect. They are read twice: for the ids before
// the first record, and, when answers are missing, for the lines after the last.
type prompts struct {
	files   []promptFile
	options jsonl.Options
	idField string
	turns   *prompt.Reader // counts the turns of conversations, nil where each prompt is asked once
	digests *check.Digester
}

// openPrompts makes a copy of what can be read once only.
func openPrompts(s *cmdline.Session, c *config, digests *check.Digester) (*prompts, func(), error) {
	p := &prompts{options: s.Options(), idField: c.idField, digests: digests}
	if c.turns == prompt.AllTurns {
		p.turns = &prompt.Reader{Turns: c.turns, PromptField: c.promptField}
	}
	var copies []*os.File
	clean := func() {
		for _, f := range copies {
			f.Close()
		}
	}
	for _, name := range c.expect {
		source := s.Source(name)
		if info, err := os.Stat(name); name == "-" || err == nil && !info.Mode().IsRegular() {
			f, err := copyOf(source)
			if err != nil {
				return nil, clean, err
			}
			copies = append(copies, f)
			source.Open = func() (io.ReadCloser, error) {
				_, err := f.Seek(0, io.SeekStart)
				return io.NopCloser(f), err
			}
		}
		m, err := readManifest(name)
		switch {
		case err != nil:
			return nil, clean, err
		case m != nil:
			p.addManifest(s, name, m)
		default:
			p.files = append(p.files, promptFile{Source: source})
		}
	}
	return p, clean, nil
}

// copyOf is a file without a name that holds what source does.
func copyOf(source jsonl.Source) (*os.File, error) {
	r, err := source.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f, err := jsonl.TempFile("")
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, r); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", source.Name, err)
	}
	return f, nil
}

// each calls yield with every prompt; raw is its line. Lines that are no
// prompts go to bad. It ends with the first error, such as a file that is not
// the one of its manifest.
func (p *prompts) each(yield func(pos jsonl.Pos, id record.ID, line jsonscan.Value, raw []byte) error, bad func(pos jsonl.Pos, id, cause string, raw []byte)) error {
	var doc jsonscan.Doc
	var namer record.Namer
	for i := range p.files {
		sum := newProof(&p.files[i])
		err := eachLine(p.files[i].Source, p.options, func(line jsonl.Line) error {
			sum.add(line)
			err := doc.Scan(line.Data)
			id := record.PromptID(doc.Root(), p.idField)
			switch {
			case line.TooLong:
				bad(line.Pos, id.String(), "the line is too long", line.Data)
			case err != nil:
				bad(line.Pos, id.String(), err.Error(), line.Data)
			case doc.Root().Kind() != jsonscan.Object:
				bad(line.Pos, "", fmt.Sprintf("a prompt is an object, not %s", doc.Root().Kind()), line.Data)
			default:
				if id.IsZero() {
					id = namer.Name(line.Data)
				}
				return yield(line.Pos, id, doc.Root(), line.Data)
			}
			return nil
		})
		if err == nil {
			err = sum.verify()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answers is how many turns of a prompt are to be answered. The error says why
// gen would not ask it.
func (p *prompts) answers(line jsonscan.Value, raw []byte) (int, error) {
	if p.turns == nil {
		return 1, nil
	}
	p.turns.IDField = p.idField
	asked, err := p.turns.Read(line, raw)
	if err != nil || asked.Asked.Script == nil {
		return 1, err
	}
	return asked.Asked.Script.Len(), nil
}

func eachLine(source jsonl.Source, o jsonl.Options, yield func(jsonl.Line) error) error {
	f, err := source.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	r := jsonl.NewReader(f, source.Name, o)
	defer r.Close()
	for {
		line, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := yield(line); err != nil {
			return err
		}
	}
}

// expectAll tells the account what is expected and returns how many prompts
// there are, and how many lines are bad. The second of two different prompts
// with one id is.
func (p *prompts) expectAll(s *cmdline.Session, g *gate, account *check.Account) (n, bad int64, err error) {
	tell := func(pos jsonl.Pos, id, cause string, raw []byte) {
		s.Tell("error", pos, id, cause)
		s.Reject(pos, id, cause, raw)
		bad++
	}
	err = p.each(func(pos jsonl.Pos, id record.ID, line jsonscan.Value, raw []byte) error {
		turns, err := p.answers(line, raw)
		if err != nil {
			tell(pos, id.String(), err.Error(), raw)
			return nil
		}
		fresh, same := account.Expect(p.digests.Prompt(id), p.digests.Bytes(raw), turns)
		switch {
		case fresh:
			n++
			g.expect(line, turns*g.config.samples)
		case !same:
			tell(pos, id.String(), "another prompt has this id", raw)
		}
		return nil
	}, tell)
	return n, bad, err
}

// tellMissing tells the prompts that lack answers and writes their lines to out.
func (p *prompts) tellMissing(g *gate, account *check.Account, because map[uint64]string, out *cmdline.Output) error {
	return p.each(func(pos jsonl.Pos, id record.ID, line jsonscan.Value, raw []byte) error {
		prompt := p.digests.Prompt(id)
		n, of := account.TakeMissing(prompt)
		if n == 0 {
			return nil
		}
		detail := "no answer"
		if n < of {
			detail = fmt.Sprintf("%d of %d answers", of-n, of)
		}
		if why := because[prompt]; why != "" {
			detail += ", " + why
		}
		for range n {
			g.missing(pos, id.String(), 0, detail, g.groupOf(line))
		}
		if out == nil {
			return nil
		}
		_, err := out.Write(append(p.again(id, line, raw), '\n'))
		return err
	}, func(jsonl.Pos, string, string, []byte) {})
}

// again is a prompt's line for another run. A repeat of a line without id gets its
// own there: alone it would be named as the first one, which has its answer.
func (p *prompts) again(id record.ID, line jsonscan.Value, raw []byte) []byte {
	named := record.PromptID(line, p.idField).IsZero()
	if named && id.String() != string(record.AppendName(nil, raw)) {
		if slot, err := shard.SlotFor(line, cmp.Or(p.idField, "id")); err == nil {
			return slot.Append(nil, raw, id.String())
		}
	}
	return slices.Clone(raw)
}
