package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// wanted is one answer to get: a request and whose it is.
type wanted struct {
	key     record.Key
	hash    uint64
	print   uint32 // fingerprint of the request
	request record.Request
	lane    int
	meta    []byte // raw JSON object
	pos     jsonl.Pos
	line    []byte // of the prompt
	archive string // which file the exchanges go to
	home    uint32 // that, of a template's, as the ledger knows it
	group   string // what it is counted with
	flight  *monitor.Flight
	ready   time.Time // when it was first ready to be sent
	most    int64     // max_tokens of the request, 0: it does not say
	clamped int64     // max_tokens that fit, 0: as the request says
	clamps  int       // how often it was clamped
	talk    *talk     // the conversation it is a turn of, nil for none
	api     prompt.API
	first   *wanted     // what was asked at first, of one that goes on with its answer
	part    record.Part // that it goes on from
}

// item is what one line of prompts gave.
type item struct {
	wanted  []*wanted // one per sample
	several bool      // the prompt asks for several answers at once
	bad     *badLine
	err     error // the input cannot be read on
}

// badLine is a line that is no prompt.
type badLine struct {
	pos   jsonl.Pos
	id    string
	cause string
	raw   []byte
}

// feed reads prompts and hands them over one line at a time, so that memory
// holds what is in flight and nothing else.
type feed struct {
	cfg     *config
	options jsonl.Options
	hasher  record.Hasher
	reader  prompt.Reader
	builder prompt.Builder
	doc     jsonscan.Doc
}

func newFeed(cfg *config, options jsonl.Options, hasher record.Hasher) *feed {
	return &feed{cfg: cfg, options: options, hasher: hasher, reader: cfg.reader, builder: cfg.builder}
}

// run hands the lines of the sources to out, and closes it.
func (f *feed) run(ctx context.Context, sources []jsonl.Source, out chan<- item) {
	defer close(out)
	f.each(ctx, sources, func(it item) error {
		select {
		case out <- it:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
}

// each calls visit for every line. An input that cannot be read on is an item,
// too, and the next one is read. It returns what visit returned.
func (f *feed) each(ctx context.Context, sources []jsonl.Source, visit func(item) error) error {
	for _, source := range sources {
		if err := f.source(ctx, source, visit); err != nil {
			return err
		}
	}
	return nil
}

func (f *feed) source(ctx context.Context, source jsonl.Source, visit func(item) error) error {
	r, err := source.Open()
	if err != nil {
		return visit(item{err: err})
	}
	defer r.Close()
	lines := jsonl.NewReader(r, source.Name, f.options)
	defer lines.Close()
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return visit(item{err: err})
		}
		if err := errors.Join(ctx.Err(), visit(f.line(line))); err != nil {
			return err
		}
	}
}

// line understands one line of prompts.
func (f *feed) line(line jsonl.Line) item {
	data := bytes.Clone(line.Data)
	bad := func(id record.ID, err error) item {
		return item{bad: &badLine{pos: line.Pos, id: id.String(), cause: err.Error(), raw: data}}
	}
	if line.TooLong {
		return bad(record.ID{}, errors.New("the line is longer than --max-line-bytes"))
	}
	if err := f.doc.Scan(data); err != nil {
		return bad(record.PromptID(f.doc.Root(), f.reader.IDField), err)
	}
	p, err := f.reader.Read(f.doc.Root(), data)
	if err != nil {
		return bad(p.ID, err)
	}
	lane, err := f.cfg.laneOf(&p, f.doc.Root())
	if err != nil {
		return bad(p.ID, err)
	}
	archive, err := f.cfg.archiveOf(f.doc.Root())
	if err != nil {
		return bad(p.ID, err)
	}
	it := item{several: p.Several() && f.cfg.samples == 1}
	for sample := range f.cfg.samples {
		body, api, err := f.builder.Body(&p, f.cfg.lanes[lane].fields, sample)
		if errors.Is(err, prompt.ErrWrongAPI) {
			return item{err: &wrongAPI{line.Pos, err}}
		}
		if err != nil {
			return bad(p.ID, err)
		}
		w := newWanted(record.Key{ID: p.ID, Sample: sample}, api, body)
		w.group = f.cfg.groupOf(f.doc.Root(), archive)
		if f.cfg.template != nil {
			w.home = uint32(f.hasher.Bytes([]byte(archive)))
		}
		w.hash, w.lane, w.meta, w.pos, w.line, w.archive = f.hasher.Hash(w.key), lane, p.Meta, line.Pos, data, archive
		f.converse(w, p.Asked.Script)
		it.wanted = append(it.wanted, w)
	}
	return it
}

// newWanted is a request of key's answer.
func newWanted(key record.Key, api prompt.API, body []byte) *wanted {
	sum := sha256.Sum256(body)
	return &wanted{
		key:     key,
		api:     api,
		print:   binary.BigEndian.Uint32(sum[:]),
		request: record.Request{Method: "POST", URL: api.Path(), Body: body, SHA256: hex.EncodeToString(sum[:])},
		ready:   time.Now(),
		most:    prompt.MaxTokens(body),
	}
}

// wrongAPI says that the command's --api does not fit the prompts.
type wrongAPI struct {
	pos jsonl.Pos
	err error
}

func (e *wrongAPI) Error() string { return e.pos.String() + ": " + e.err.Error() }
func (e *wrongAPI) Unwrap() error { return e.err }
