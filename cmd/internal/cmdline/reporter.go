package cmdline

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
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
	causes  map[string]int64 // on a terminal: how many have which
	buf     []byte
}

// A person reads a cause a few times and no more: a file of another shape has it on
// each line, and what matters scrolls away. Files and pipes get every line.
const (
	mostAlike  = 5
	mostCauses = 1000 // that are told apart
)

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
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.isEnough(cause) {
		r.write(message{level: "error", at: &pos, id: id, text: cause})
	}
	r.bad++
	r.reject(pos, id, cause, raw)
}

// isEnough counts a cause and reports whether it was told often enough.
func (r *Reporter) isEnough(cause string) bool {
	if !r.Terminal() || r.Verbose() || len(r.causes) == mostCauses && r.causes[cause] == 0 {
		return false
	}
	if r.causes == nil {
		r.causes = map[string]int64{}
	}
	r.causes[cause]++
	return r.causes[cause] > mostAlike
}

// tellAlike says how often causes were not told, the most frequent first.
func (r *Reporter) tellAlike() {
	r.mu.Lock()
	defer r.mu.Unlock()
	told := int64(0)
	causes := slices.SortedFunc(maps.Keys(r.causes), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.causes[b], r.causes[a]), cmp.Compare(a, b))
	})
	for _, cause := range causes {
		if n := r.causes[cause] - mostAlike; n > 0 {
			r.Error("%d more: %s", n, cause)
			told += n
		}
	}
	if told > 0 && r.rejects == nil {
		r.Hint("--rejects FILE collects them, -v tells each")
	}
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
	r.tellAlike()
	excess := r.Excess()
	if excess == nil && r.BadCount() > 0 {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Note("%v", r.told())
	}
	return join(err, excess)
}
