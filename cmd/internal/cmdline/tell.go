package cmdline

import "github.com/thinkpipe/thinkpipe/pkg/jsonl"

// Tell tells something about one record, as Bad does, and counts nothing: for
// a command that has a report and limits of its own. level is "error" or
// "warning".
func (l *Log) Tell(level string, pos jsonl.Pos, id, text string) {
	l.write(message{level: level, at: &pos, id: id, text: text})
}

// JSON reports whether messages are JSON: free text has no place beside them.
func (l *Log) JSON() bool { return l.json }
