package cmdline

import "github.com/thinkpipe/thinkpipe/pkg/jsonl"

// Reject collects a record for --rejects without telling or counting it: for a
// command that has a report and limits of its own.
func (r *Reporter) Reject(pos jsonl.Pos, id, cause string, raw []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rejects != nil {
		r.buf = appendReject(r.buf[:0], pos, id, cause, raw)
		r.rejects.Write(r.buf) // the output keeps its error for the end
	}
}
