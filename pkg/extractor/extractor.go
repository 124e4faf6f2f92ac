package extractor

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// Result is what one line holds; valid until the next call.
type Result struct {
	Record  *response.Record // nil when the line was a sample already
	Key     record.Key       // whose answer this is
	Samples []record.Sample  // one per choice; empty for failures and retried lines
	// Through says that the line is a sample already and may be copied as it is;
	// Samples then holds what it says.
	Through bool
}

// Line extracts one scanned line. The error says why the line is no record, or
// names a duplicate key on a path that decides the result; the result then
// holds the key, as far as it is known, and no samples.
func (x *Extractor) Line(line jsonscan.Value) (*Result, error) {
	if x.field != "" {
		return x.extract(x.parser.Field(line, x.field))
	}
	if record.IsSample(line) && !(x.again && line.Get("reasoning").Text().TrimSpace().Len() == 0) {
		return x.through(line)
	}
	return x.extract(x.parser.Parse(line))
}

// Body extracts one whole reply, JSON or an event stream, under the given id.
func (x *Extractor) Body(id record.ID, raw []byte) (*Result, error) {
	r, err := x.parser.Body(raw, 0, "")
	r.ID = id
	return x.extract(r, err)
}

// Chunks extracts the chunks of one stream, one per line, under the given id.
func (x *Extractor) Chunks(id record.ID, raw []byte) (*Result, error) {
	r, err := x.parser.Chunks(raw)
	r.ID = id
	return x.extract(r, err)
}

func (x *Extractor) through(line jsonscan.Value) (*Result, error) {
	x.reset()
	s := x.sample()
	err := s.Read(line)
	x.result.Key = record.Key{ID: s.ID, Sample: s.Sample, Turn: s.Turn}
	if path := line.Duplicate(); path != "" {
		err = fmt.Errorf("duplicate key %.80q", path)
	}
	if err != nil {
		return &x.result, err
	}
	x.result.Samples, x.result.Through = x.samples, true
	return &x.result, nil
}

func (x *Extractor) extract(r *response.Record, err error) (*Result, error) {
	x.reset()
	x.result.Record = r
	x.result.Key = record.Key{ID: r.ID, Sample: r.Sample, Turn: r.Turn}
	if err != nil || r.Failure != nil || r.Retried {
		return &x.result, err
	}
	if !r.Model.Equal(x.model) {
		x.model = r.Model.String()
	}
	x.goOn(r)
	x.findServer(r)
	for i := range r.Choices {
		x.choice(r, &r.Choices[i])
	}
	x.uncounted(r)
	if path := r.Request.Duplicate(); path != "" { // a switch of the thinking, or the tools
		return &x.result, fmt.Errorf("duplicate key %.80q", path)
	}
	x.result.Samples = x.samples
	return &x.result, nil
}

func (x *Extractor) reset() {
	x.result = Result{}
	x.samples = x.samples[:0]
	x.joined = x.joined[:0]
}

// sample begins a new sample, whose buffers are those of the one before it.
func (x *Extractor) sample() *record.Sample {
	if n := len(x.samples); n < cap(x.samples) {
		x.samples = x.samples[:n+1]
	} else {
		x.samples = append(x.samples, record.Sample{})
	}
	s := &x.samples[len(x.samples)-1]
	*s = record.Sample{Extract: record.Extract{Flags: s.Extract.Flags[:0]}, Segments: s.Segments[:0]}
	return s
}
