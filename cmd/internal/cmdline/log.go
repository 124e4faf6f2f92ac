package cmdline

import (
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// messageBytes is the longest message; more is somebody's data.
const messageBytes = 2000

// Log writes a command's messages to standard error, one per line, as text
// ("extract: warning: …") or JSON. It may be used by several goroutines.
type Log struct {
	mu       sync.Mutex
	w        io.Writer
	command  string
	json     bool
	quiet    bool
	verbose  bool
	terminal bool
	above    io.Writer // a meter that draws on the terminal, nil for none
	buf      []byte
}

func newLog(command string, w io.Writer, line commandLine) *Log {
	return &Log{
		w:        w,
		command:  command,
		json:     line.has("log-format", "json"),
		quiet:    line.has("quiet", "true"),
		verbose:  line.has("verbose", "true"),
		terminal: isTerminal(w),
	}
}

// message is one line of the log.
type message struct {
	level string // "error", "warning", "hint" or "note"
	at    *jsonl.Pos
	id    string
	text  string
}

// Note says what is good to know; -q hides it.
func (l *Log) Note(format string, args ...any) {
	if !l.quiet {
		l.write(message{level: "note", text: fmt.Sprintf(format, args...)})
	}
}

// Warn says what may be wrong although the command goes on.
func (l *Log) Warn(format string, args ...any) {
	l.write(message{level: "warning", text: fmt.Sprintf(format, args...)})
}

// Error says what is wrong although the command goes on.
func (l *Log) Error(format string, args ...any) {
	l.write(message{level: "error", text: fmt.Sprintf(format, args...)})
}

// Hint says what the user can do about the message before it.
func (l *Log) Hint(format string, args ...any) {
	l.write(message{level: "hint", text: fmt.Sprintf(format, args...)})
}

// Tell tells something about one record, as Bad does, and counts nothing: for
// a command that has a report and limits of its own. level is "error" or
// "warning".
func (l *Log) Tell(level string, pos jsonl.Pos, id, text string) {
	l.write(message{level: level, at: &pos, id: id, text: text})
}

// JSON reports whether messages are JSON: free text has no place beside them.
func (l *Log) JSON() bool { return l.json }

// Quiet reports whether -q was given.
func (l *Log) Quiet() bool { return l.quiet }

// Verbose reports whether -v was given.
func (l *Log) Verbose() bool { return l.verbose }

// Terminal reports whether standard error is one, for people and not for a
// reader of JSON.
func (l *Log) Terminal() bool { return l.terminal && !l.json }

func (l *Log) write(m message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writeLocked(m)
}

// writeLocked passes over errors: there is nowhere to tell that nothing can be told.
func (l *Log) writeLocked(m message) {
	if l.json {
		l.buf = l.appendJSON(l.buf[:0], m)
	} else {
		l.buf = l.appendText(l.buf[:0], m)
	}
	l.buf = append(l.buf, '\n')
	if l.above != nil {
		l.above.Write(l.buf)
	} else {
		l.w.Write(l.buf)
	}
}

func (l *Log) appendText(b []byte, m message) []byte {
	if m.at != nil {
		b = append(b, Clean(m.at.File, messageBytes)...)
		b = strconv.AppendInt(append(b, ':'), m.at.Line, 10)
	} else {
		b = append(b, l.command...)
		if m.level == "warning" || m.level == "hint" {
			b = append(append(b, ": "...), m.level...)
		}
	}
	if m.id != "" {
		b = append(append(b, ": id "...), Quote(m.id)...)
	}
	if m.at != nil && m.level == "warning" {
		b = append(b, ": warning"...)
	}
	b = append(append(b, ": "...), Clean(m.text, messageBytes)...)
	if l.verbose && m.at != nil {
		b = append(strconv.AppendInt(append(b, " (byte "...), m.at.Offset, 10), ')')
	}
	return b
}

func (l *Log) appendJSON(b []byte, m message) []byte {
	b = append(b, `{"time":"`...)
	b = time.Now().UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z07:00")
	b = append(append(append(b, `","level":"`...), m.level...), `","command":`...)
	b = jsonscan.AppendString(b, l.command)
	if m.at != nil {
		b = jsonscan.AppendString(append(b, `,"file":`...), m.at.File)
		b = strconv.AppendInt(append(b, `,"line":`...), m.at.Line, 10)
		b = strconv.AppendInt(append(b, `,"offset":`...), m.at.Offset, 10)
	}
	if m.id != "" {
		b = jsonscan.AppendString(append(b, `,"id":`...), m.id)
	}
	b = jsonscan.AppendString(append(b, `,"message":`...), Clean(m.text, messageBytes))
	return append(b, '}')
}

// print writes text that was asked for to standard output.
func (l *Log) print(out io.Writer, text string) int {
	if _, err := io.WriteString(out, text); err != nil {
		return l.fail(&writeError{"<stdout>", err})
	}
	return 0
}

// fail tells an error and returns its exit code.
func (l *Log) fail(err error) int {
	l.tell(err)
	return ExitCode(err)
}

// tell writes an error, each of several on a line of its own and once, and its
// hints.
func (l *Log) tell(err error) {
	told := map[string]bool{}
	for _, e := range apart(err) {
		if isSilent(e) || told[e.Error()] {
			continue
		}
		told[e.Error()] = true
		l.write(message{level: "error", text: e.Error()})
		for _, hint := range hintsOf(e) {
			l.Hint("%s", hint)
		}
	}
}
