package cmdline

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Reporter tells and counts bad records, and decides at the end whether there
// were too many. It may be used by several goroutines.
type Reporter struct {
	*Log
	limit Limit

	mu      sync.Mutex
	rejects *Output // nil without --rejects
	records int64
	bad     int64
	buf     []byte
}

// Records adds n to the records that were read, bad ones included: what a rate
// in --max-bad is a share of.
func (r *Reporter) Records(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records += n
}

// Bad tells one bad line or record: where it is, its id ("" when unknown), why
// it is bad, and, for --rejects, the line. raw is not kept.
func (r *Reporter) Bad(pos jsonl.Pos, id, cause string, raw []byte) {
	r.write(message{level: "error", at: &pos, id: id, text: cause})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bad++
	r.reject(pos, id, cause, raw)
}

// Reject collects a record for --rejects without telling or counting it: for a
// command that has a report and limits of its own.
func (r *Reporter) Reject(pos jsonl.Pos, id, cause string, raw []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reject(pos, id, cause, raw)
}

func (r *Reporter) reject(pos jsonl.Pos, id, cause string, raw []byte) {
	if r.rejects != nil {
		r.buf = appendReject(r.buf[:0], pos, id, cause, raw)
		r.rejects.Write(r.buf) // the output keeps its error for the end
	}
}

// BadCount is the number of bad records so far.
func (r *Reporter) BadCount() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bad
}

// appendReject appends one line of --rejects. "raw" is always a string; when
// the line is not valid UTF-8, its exact bytes are in "raw_base64" as well.
func appendReject(b []byte, pos jsonl.Pos, id, cause string, raw []byte) []byte {
	b = jsonscan.AppendString(append(b, `{"file":`...), pos.File)
	b = strconv.AppendInt(append(b, `,"line":`...), pos.Line, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), pos.Offset, 10)
	b = jsonscan.AppendString(append(b, `,"id":`...), id)
	b = jsonscan.AppendString(append(b, `,"error":`...), cause)
	b = jsonscan.AppendString(append(b, `,"raw":`...), raw)
	if !utf8.Valid(raw) {
		b = append(b, `,"raw_base64":"`...)
		b = base64.StdEncoding.AppendEncode(b, raw)
		b = append(b, '"')
	}
	return append(b, "}\n"...)
}

// Excess says that there are more bad records than --max-bad tolerates; nil when
// there are not.
func (r *Reporter) Excess() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bad == 0 || r.limit.Allows(r.bad, r.total()) {
		return nil
	}
	return r.told()
}

// told says how many records are bad. It is used under the lock, like total.
func (r *Reporter) told() error {
	return fmt.Errorf("%d of %d %w, --max-bad is %s", r.bad, r.total(), ErrBadRecords, r.limit.String())
}

func (r *Reporter) total() int64 { return max(r.records, r.bad) }

// verdict adds to a run's error that there are more bad records than --max-bad tolerates.
func (r *Reporter) verdict(err error) error {
	excess := r.Excess()
	if excess == nil && r.BadCount() > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Note("%v", r.told())
	}
	return join(err, excess)
}
