package main

import (
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// batch is what a worker found in one block, for the sink, which sees blocks in
// order. Its slices are reused block after block.
type batch struct {
	entries  []entry
	findings []check.Finding // of all entries, one after the other
	texts    []byte          // ids and model names
	retried  int64           // attempts that another line follows, no entries
	probes   int64           // what gen asked before a run, no entries either
}

func (b *batch) reset() {
	b.entries, b.findings, b.texts = b.entries[:0], b.findings[:0], b.texts[:0]
	b.retried, b.probes = 0, 0
}

// entry is one judged record, one line that holds none, or one failed attempt.
type entry struct {
	pos            jsonl.Pos
	line           []byte // the whole line
	id             []byte // decoded
	sample, choice int
	digest         check.Digest
	group          []byte // the value of --by
	facts          facts
	byDesign       bool     // there is no thinking, and none is missed
	found          int      // where its findings end in batch.findings
	out            int      // where its output ends in Block.Out
	bad            string   // not a record: the rule that says so
	failure        *failure // not a record but an attempt that failed for good
}

// failure is an attempt that failed and that nothing in its line makes up for.
type failure struct {
	pos     jsonl.Pos
	id      string
	sample  int
	prompt  uint64 // hash of the id, 0 for none
	answer  uint64 // hash of what was not answered
	because string
	group   string
}

// keep copies what will not last until the sink has the block.
func (b *batch) keep(text []byte) []byte {
	at := len(b.texts)
	b.texts = append(b.texts, text...)
	return b.texts[at:len(b.texts):len(b.texts)]
}

// keepID is the decoded id, empty for none.
func (b *batch) keepID(id record.ID) []byte {
	at := len(b.texts)
	b.texts = id.AppendKey(b.texts)
	return b.texts[min(at+1, len(b.texts)):len(b.texts):len(b.texts)] // a key begins with its kind
}

// add begins an entry.
func (b *batch) add(line jsonl.Line) *entry {
	b.entries = append(b.entries, entry{pos: line.Pos, line: line.Data})
	return &b.entries[len(b.entries)-1]
}

// failing reports whether a finding keeps a record from passing.
func failing(findings []check.Finding) bool {
	for i := range findings {
		if findings[i].Level == check.Fail {
			return true
		}
	}
	return false
}
