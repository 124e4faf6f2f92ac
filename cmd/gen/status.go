package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// statusCommand says how a run stands that another process makes or made.
func statusCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:        "status",
		Usage:       "say how a run stands",
		Arguments:   "FILE",
		Description: statusManual,
		Examples:    "gen status status.json\ngen status raw.jsonl.zst\nuntil gen status --json status.json | grep -q '\"finished\":true'; do sleep 60; done",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON object, as --status has it"}},
		Run:         status,
	}
}

const statusManual = `FILE is what --status of a run keeps, or an archive (a folder of them, DIR/, or the template
of -o), which is read from beginning to end and knows of no prompts that are not asked yet;
FILE.run.json beside it says how the last run ended.

Of a run that has ended the exit code is the run's own, with 75 for 130 and 143: run it again.
While it lasts, and of an archive, it is 0, or 1 when answers have failed or are dead. 75 says
that the process is gone and has not told how it ended.`

func status(ctx context.Context, s *cmdline.Session) error {
	if n := len(s.Files()); n != 1 {
		return cmdline.WithHint(cmdline.Usagef("one FILE is expected, not %d", n), "FILE is what --status of a run keeps, or its archive")
	}
	path := s.Files()[0]
	f, err := readStatus(path)
	if err == nil && f == nil {
		f, err = statusOfArchive(ctx, s, path)
	}
	if err != nil {
		return err
	}
	text := statusText(f, time.Now())
	if s.Bool("json") {
		text = f.AppendStatus(nil)
	}
	if _, err := s.Out.Write(text); err != nil {
		return err
	}
	return standing(f)
}

// largestStatus is more than a status file has.
const largestStatus = 1 << 20

// readStatus reads a file that --status made and looks whether its process is
// there; nil when it is another file.
func readStatus(path string) (*monitor.Figures, error) {
	if !isRegular(path) {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largestStatus))
	if err != nil {
		return nil, err
	}
	var f monitor.Figures
	if json.Unmarshal(text, &f) != nil || f.Run == "" || f.State == "" {
		return nil, nil
	}
	if !f.Over && !isAlive(&f, time.Now()) {
		f.State = monitor.Gone
	}
	return &f, nil
}

// silence is after how long a run that tells its status every second is missed.
const silence = time.Minute

// isAlive reports whether a run's process is there. On another machine nobody can
// say: then it is when it told its status lately.
func isAlive(f *monitor.Figures, now time.Time) bool {
	if host, _ := os.Hostname(); host != f.Host {
		return now.Sub(f.Updated) < silence
	}
	err := syscall.Kill(f.PID, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// standing is the error that gives the exit code; what it says was printed.
func standing(f *monitor.Figures) error {
	code := 0
	switch {
	case f.State == monitor.Gone, f.Exit > 128:
		code = cmdline.CodeStopped
	case f.Over:
		code = f.Exit
	case f.Failed+f.Dead+f.Bad > 0:
		code = cmdline.CodeBad
	}
	if code == 0 {
		return nil
	}
	return cmdline.Told(cmdline.Failed(code, errors.New(string(f.State))))
}

// statusText is what is printed for people.
func statusText(f *monitor.Figures, now time.Time) []byte {
	var b bytes.Buffer
	row := func(known bool, name, format string, args ...any) {
		if known {
			fmt.Fprintf(&b, "%-9s %s\n", name, cmdline.Clean(fmt.Sprintf(format, args...), 400))
		}
	}
	p := f.Progress()
	row(true, "state", "%s", stateText(f, now))
	for _, why := range strings.Split(f.Why, "\n") {
		row(why != "", "", "%s", why)
	}
	row(true, "archive", "%s", cmp.Or(f.Archive, "standard output"))
	row(f.Model != "", "model", "%s", f.Model)
	row(true, "account", "%d in = %d done + %d failed + %d dead + %d bad + %d pending", f.In, f.Done, f.Failed, f.Dead, f.Bad, f.Pending)
	row(f.Total >= 0 && f.Total != f.In, "", "%d are in the input", f.Total)
	row(true, "requests", "%d, %d answers with %d tokens", f.Requests, f.Answers, f.Tokens)
	row(f.Started.IsZero() && !f.Updated.IsZero(), "", "the last ended %s ago", progress.Duration(now.Sub(f.Updated)))
	row(p.PerMinute >= 0, "rate", "%s answers/min, %s tok/s", progress.Amount(p.PerMinute), progress.Amount(p.TokensPerSecond))
	row(p.ETA >= 0, "ETA", "%s", progress.Duration(p.ETA))
	row(p.Oldest >= 0, "oldest", "%s, id %s", progress.Duration(p.Oldest), cmdline.Quote(f.Oldest.ID))
	row(f.Shares.Judged > 0, "thinking", "%s without; %s", progress.Percent(f.Shares.Share), counted(f.Shares.Status))
	row(len(f.Rules) > 0, "findings", "%s", counted(f.Rules))
	row(len(f.Codes) > 0, "failures", "%s", counted(f.Codes))
	if len(f.RecentFailures) > 0 {
		last := &f.RecentFailures[0]
		ago := ""
		if !last.At.IsZero() {
			ago = " " + progress.Duration(now.Sub(last.At)) + " ago"
		}
		row(true, "", "the last%s, id %s: %s: %s", ago, cmdline.Quote(last.ID), last.Code, last.Message)
	}
	return b.Bytes()
}

// stateText says in words what the run does.
func stateText(f *monitor.Figures, now time.Time) string {
	process := fmt.Sprintf("process %d on %s", f.PID, f.Host)
	told := progress.Duration(now.Sub(f.Updated)) + " ago"
	switch {
	case f.State == monitor.Idle:
		return "no run writes it"
	case f.State == monitor.Gone:
		return fmt.Sprintf("gone: %s told how it stands %s, and not how it ended; %s", process, told, again(f.Archive))
	case f.Over:
		return fmt.Sprintf("%s with exit %d %s, after %s", f.State, f.Exit, told, progress.Duration(f.Progress().Took))
	case f.Started.IsZero(): // an archive, which says nothing of its run
		return fmt.Sprintf("%s, %s writes it", f.State, process)
	case now.Sub(f.Updated) > silence:
		return fmt.Sprintf("%s, but %s has told nothing for %s", f.State, process, progress.Duration(now.Sub(f.Updated)))
	}
	return fmt.Sprintf("%s, %s, since %s", f.State, process, progress.Duration(now.Sub(f.Started)))
}

// again says what the same command does, with this archive or without one.
func again(archive string) string {
	if archive == "" {
		return "without -o the same command asks everything again"
	}
	return "the same command resumes"
}

// counted says counts by name, the largest first.
func counted(counts map[string]int64) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	return strings.Join(names, ", ")
}
