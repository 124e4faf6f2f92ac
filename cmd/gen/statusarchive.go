package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
	"github.com/thinkpipe/thinkpipe/pkg/response"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// auditor counts the lines of archives as the run that wrote them did.
type auditor struct {
	ctx     context.Context
	s       *cmdline.Session
	ledger  *ledger
	book    *monitor.Book
	look    *inspectors
	doc     jsonscan.Doc
	parser  response.Parser
	updated time.Time // when the last request ended
	why     string    // of the last run, when it did not end well
	lines   int64     // of archives
	unread  int64     // lines of nothing that is known
}

// statusOfArchive reads an archive, or all of a folder.
func statusOfArchive(ctx context.Context, s *cmdline.Session, path string) (*monitor.Figures, error) {
	if _, err := s.Apart([]string{path}); err != nil {
		return nil, err
	}
	paths, err := archivesOf(path)
	if err != nil {
		return nil, err
	}
	look, err := newInspectors("", check.Optional)
	if err != nil {
		return nil, err
	}
	about := monitor.About{Archive: path}
	state, err := writers(paths, &about)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	a := &auditor{ctx: ctx, s: s, ledger: newLedger(), book: monitor.NewBook(about, []string{"all"}, "dataset", now), look: look}
	for _, path := range paths {
		if err := a.read(path); err != nil {
			return nil, err
		}
	}
	if a.lines == 0 && a.unread > 0 {
		return nil, noArchive(path)
	}
	if state == monitor.Idle {
		a.why = lastRun(paths)
	}
	account := a.ledger.account()
	account.Bad, account.In = a.unread, account.In+a.unread
	f := a.book.Figures(monitor.Live{Account: account, Total: -1, Slots: []int{0}, State: state, Exit: -1, Why: a.why}, now)
	f.Started, f.Updated, f.Rates, f.Lag = time.Time{}, a.updated, monitor.Rates{PerMinute: -1, Tokens: -1, ETA: -1, Took: -1}, monitor.Lag{Lately: -1, Longest: -1}
	if a.unread > mostTold {
		s.Warn("%d lines of %s are none of an archive", a.unread, cmdline.Quote(path))
	}
	return f, nil
}

// archivesOf are the archives at a path: a file, those in a folder, or those of a
// template, as -o takes them.
func archivesOf(path string) (paths []string, err error) {
	info, statErr := os.Stat(path)
	t, parseErr := shard.ParseTemplate(path)
	switch {
	case statErr != nil && parseErr == nil && t.HasFields():
		paths, err = filesOf(t)
	case statErr != nil || !info.IsDir():
		return []string{path}, nil // whoever opens it says what is wrong
	default:
		paths, err = provenance.Archives(path)
	}
	if err == nil && len(paths) == 0 {
		err = cmdline.Usagef("%s has no archives", cmdline.Quote(path))
	}
	return paths, err
}

// noArchive is the error of a file without a line of an archive.
func noArchive(path string) error {
	return cmdline.Usagef("%s is neither what --status keeps nor an archive", cmdline.Quote(path))
}

// lastRun says how the last run that wrote to archives ended, "" for well or when
// nobody knows.
func lastRun(paths []string) string {
	var last provenance.Run
	for _, path := range paths {
		if a, err := provenance.Read(path); err == nil {
			for _, run := range a.Runs {
				if !run.Started.Before(last.Started) {
					last = run
				}
			}
		}
	}
	var account struct{ Pending int64 }
	json.Unmarshal(last.Account, &account) // null while it runs
	switch {
	case last.Run == "" || last.Exit != nil && *last.Exit == 0:
		return ""
	case last.Exit == nil:
		return "the last run, since " + last.Started.Format(time.RFC3339) + ", has not told how it ended; the same command resumes"
	}
	return fmt.Sprintf("the last run ended with exit %d, %d answers pending", *last.Exit, account.Pending)
}

// writers finds out who writes the archives now.
func writers(paths []string, about *monitor.About) (monitor.State, error) {
	for _, path := range paths {
		held, err := jsonl.Holder(path)
		if err != nil {
			return "", err
		}
		if held != nil {
			about.PID, about.Host = held.PID, held.Host
			if about.Host == "" {
				about.Host, _ = os.Hostname()
			}
			return monitor.Running, nil
		}
	}
	return monitor.Idle, nil
}

// read reads one archive. One that a run writes may end in the middle of a line.
func (a *auditor) read(path string) error {
	source := a.s.Source(path)
	in, err := source.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	lines := jsonl.NewReader(in, source.Name, a.s.ArchiveOptions())
	defer lines.Close()
	err = eachLine(lines, a.line)
	var damage *jsonl.DamageError
	if errors.As(err, &damage) {
		a.s.Warn("%v", err)
		return nil
	}
	return err
}

// mostTold is how many lines that cannot be read are told one by one.
const mostTold = 3

func (a *auditor) line(line jsonl.Line) error {
	err := a.doc.Scan(line.Data)
	if err == nil {
		var r *response.Record
		if r, err = a.parser.Parse(a.doc.Root()); err == nil {
			if !r.Probe {
				a.ledger.archived(r, false)
				a.count(r, line.Data)
			}
		}
	}
	if err == nil {
		a.lines++
	} else if a.unread++; a.unread <= mostTold {
		a.s.Warn("%s: %v", line.Pos, err)
	}
	return a.ctx.Err()
}

// count counts a line as [loop.attempt] does.
func (a *auditor) count(r *response.Record, line []byte) {
	root := a.doc.Root()
	started, _ := time.Parse(time.RFC3339, root.Get("started_at").Text().String())
	millis, _ := root.Get("timing", "total_ms").Float()
	took := time.Duration(millis * float64(time.Millisecond))
	x := &monitor.Attempt{
		ID: r.ID.String(), Server: root.Get("server").Text().String(), Group: root.Get("meta", "dataset").Text().String(),
		Number: r.Attempt, Took: took, Retried: r.Retried,
	}
	if !started.IsZero() { // gen wrote the line
		x.At = started.Add(took)
	}
	if x.At.After(a.updated) {
		a.updated = x.At
	}
	if r.Failure != nil {
		x.Code, x.Message = r.Failure.Code, r.Failure.Message
	} else {
		s := a.look.look(line)
		x.Tokens, x.Status, x.Thinks, x.Rules, x.Finish = max(0, r.Usage.Completion), s.status, s.thought > 0, s.rules, s.finish
	}
	a.book.Kept(x)
}

// account is what became of the answers that an archive knows.
func (l *ledger) account() (a monitor.Account) {
	for _, e := range l.entries {
		switch e.state {
		case done:
			a.Done++
		case failed:
			a.Failed++
		case dead:
			a.Dead++
		}
		a.In++
	}
	return a
}
