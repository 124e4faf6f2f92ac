package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// watched is a run of gen in this process whose input stays open until it is ended.
type watched struct {
	input *io.PipeWriter
	url   string
	code  chan int
	log   *screen
}

// screen is a standard error that says where the page is.
type screen struct {
	mu    sync.Mutex
	text  bytes.Buffer
	shown chan string
}

var pageURL = regexp.MustCompile(`watch it at (\S+)/\n`)

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := pageURL.FindSubmatch(p); m != nil {
		s.shown <- string(m[1])
	}
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func watchRun(t *testing.T, args ...string) *watched {
	t.Helper()
	in, out := io.Pipe()
	w := &watched{input: out, code: make(chan int, 1), log: &screen{shown: make(chan string, 1)}}
	go func() {
		code := cmdline.Main(command(), cmdline.Streams{
			Args: append([]string{"gen", "--monitor", ":0"}, args...), In: in, Out: io.Discard, Err: w.log,
		})
		in.Close()
		w.code <- code
	}()
	select {
	case w.url = <-w.log.shown:
	case code := <-w.code:
		t.Fatalf("exit %d: %s", code, w.log)
	}
	return w
}

func (w *watched) get(t *testing.T, path string) []byte {
	t.Helper()
	resp, err := http.Get(w.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %d, %v", path, resp.StatusCode, err)
	}
	return text
}

// events is the stream of pages; next is the next of them, "" at the end.
func (w *watched) events(t *testing.T) (next func() string) {
	t.Helper()
	resp, err := http.Get(w.url + "/events")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	lines := bufio.NewReader(resp.Body)
	return func() (page string) {
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return ""
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok && json.Unmarshal([]byte(data), &page) == nil {
				return page
			}
		}
	}
}

// counted by a stranger who reads the archive.
type countedLines struct {
	requests, retried, answers, without, tokens int64
	codes, groups                               map[string]int64
	done, failed, dead                          int64
}

func countArchive(t *testing.T, path string) countedLines { return countTurns(t, path, 1) }

// countTurns counts conversations of so many turns: those behind a dead one are dead.
func countTurns(t *testing.T, path string, turns int64) countedLines {
	t.Helper()
	c := countedLines{codes: map[string]int64{}, groups: map[string]int64{}}
	ended := map[string]string{}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = eachLine(jsonl.NewReader(f, path, jsonl.Options{}), func(line jsonl.Line) error {
		var x struct {
			ID            string `json:"custom_id"`
			Turn          int64
			Continues     struct{ Reasoning string }
			Retried, Dead bool
			Error         *struct{ Code string }
			Meta          struct{ Dataset string }
			Response      struct {
				Body struct {
					Choices []struct {
						Message struct {
							Reasoning string `json:"reasoning_content"`
						}
					}
					Usage struct {
						Tokens int64 `json:"completion_tokens"`
					}
				}
			}
		}
		if err := json.Unmarshal(line.Data, &x); err != nil {
			return err
		}
		c.requests++
		if x.Error == nil {
			c.tokens += x.Response.Body.Usage.Tokens
		}
		key := fmt.Sprint(x.ID, " ", x.Turn)
		switch {
		case x.Error == nil && x.Retried: // a part
		case x.Error == nil:
			c.answers++
			c.groups[x.Meta.Dataset]++
			if x.Response.Body.Choices[0].Message.Reasoning+x.Continues.Reasoning == "" {
				c.without++
			}
			ended[key] = "done"
		case x.Dead:
			ended[key] = "dead"
			c.dead += max(0, turns-1-x.Turn)
		case !x.Retried:
			ended[key] = "failed"
		}
		if x.Error != nil {
			c.codes[x.Error.Code]++
		}
		if x.Retried {
			c.retried++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, as := range ended {
		switch as {
		case "done":
			c.done++
		case "failed":
			c.failed++
		case "dead":
			c.dead++
		}
	}
	return c
}

// compare holds figures against the archive and the account of the input.
func (c *countedLines) compare(t *testing.T, where string, f *monitor.Figures, bad int64) {
	t.Helper()
	f2 := countedLines{
		f.Requests, f.Retried, f.Answers, f.Shares.Without, f.Tokens, f.Codes, map[string]int64{}, f.Done, f.Failed, f.Dead,
	}
	for _, g := range f.Groups {
		if g.Answers > 0 {
			f2.groups[g.Name] = g.Answers
		}
	}
	if fmt.Sprint(f2) != fmt.Sprint(*c) {
		t.Errorf("%s:\n%+v, the archive:\n%+v", where, f2, *c)
	}
	if f.In != f.Done+f.Failed+f.Dead+f.Bad+f.Pending || f.Bad != bad || f.Shares.Judged != f.Answers {
		t.Errorf("%s: %+v %+v", where, f.Account, f.Shares)
	}
	var servers countedLines
	for _, s := range f.Servers {
		servers.requests, servers.answers, servers.tokens, servers.without = servers.requests+s.Requests, servers.answers+s.Answers, servers.tokens+s.Tokens, servers.without+s.Without
	}
	if servers.requests != c.requests || servers.answers != c.answers || servers.tokens != c.tokens || servers.without != c.without {
		t.Errorf("%s: servers %+v", where, servers)
	}
}

// Whatever tells how a run goes says the same, and it is what the archive says:
// while it lasts, at its end, and when the run resumes.
func TestFiguresAgreeWithTheArchive(t *testing.T) {
	dir := t.TempDir()
	archive, statusFile := filepath.Join(dir, "raw.jsonl"), filepath.Join(dir, "status.json")
	args := []string{
		"--server", "sim:?latency=1ms&parser=on&empty=0.1&fail=500:0.2,400:0.05&cut=0.1&seed=7", "--server", "sim:?latency=2ms&parser=on&fail=500:0.2",
		"-c", "8", "--attempts", "2", "--max-bad", "100%", "--require", "none", "--sync-interval", "10ms", "--progress", "always", "--status", statusFile, "-o", archive,
	}
	const prompts = 300
	w := watchRun(t, args...)
	go func() {
		for i := range prompts {
			fmt.Fprintf(w.input, `{"id":"p%d","prompt":"What is %d?","dataset":"d%d"}`+"\n", i, i, i%3)
		}
		fmt.Fprint(w.input, "no JSON\n{\"id\":\"p1\",\"prompt\":\"another\"}\n")
	}()
	next := w.events(t)
	var f monitor.Figures
	for next() != "" { // a clock that ticks whenever there are new figures
		f = monitor.Figures{}
		if err := json.Unmarshal(w.get(t, "/api/run"), &f); err != nil {
			t.Fatal(err)
		}
		if f.In == prompts+2 && f.Pending == 0 {
			break
		}
	}
	c := countArchive(t, archive)
	if c.retried == 0 || c.failed == 0 || c.dead == 0 || c.without == 0 {
		t.Errorf("there is too little to compare: %+v", c)
	}
	c.compare(t, "/api/run", &f, 2)
	metrics := string(w.get(t, "/metrics"))
	for name, want := range map[string]int64{
		`thinkpipe_wanted{state="done"}`: c.done, `thinkpipe_wanted{state="bad"}`: 2, "thinkpipe_requests_total": c.requests,
		"thinkpipe_answers_without_thinking_total": c.without, "thinkpipe_completion_tokens_total": c.tokens, "thinkpipe_answer_seconds_count": c.answers,
	} {
		if !strings.Contains(metrics, fmt.Sprintf("\n%s %d\n", name, want)) {
			t.Errorf("/metrics: %s is not %d", name, want)
		}
	}
	w.input.Close()
	last := ""
	for page := next(); page != ""; page = next() {
		last = page
	}
	if code := <-w.code; code != 0 {
		t.Fatalf("exit %d: %s", code, w.log)
	}
	account := fmt.Sprintf("%d in = %d done + %d failed + %d dead + 2 bad + 0 pending", prompts+2, c.done, c.failed, c.dead)
	for _, want := range []string{account, fmt.Sprintf("<b>%d</b>", c.done), `data-state="finished"`, fmt.Sprintf("%d of %d answers", c.without, c.answers)} {
		if !strings.Contains(last, want) {
			t.Errorf("the last page has no %q: %s", want, last)
		}
	}
	for _, want := range []string{fmt.Sprintf("gen: %d done in ", c.done), fmt.Sprintf("%d retried, %d failed, %d dead, 2 bad, ", c.retried, c.failed, c.dead), account} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("no %q in %s", want, w.log)
		}
	}
	told := readFigures(t, "status", statusFile)
	c.compare(t, "--status", told, 2)
	if told.State != monitor.Finished || told.Exit != 0 || !told.Over {
		t.Errorf("%s, exit %d", told.State, told.Exit)
	}
	c.compare(t, "gen status of the archive", readFigures(t, "status of the archive", archive), 0)
	resumed(t, args, archive, statusFile, c)
}

// TestFiguresOfTurnsAgreeWithTheArchive: the same for conversations whose turns are
// cut and gone on with, fail and die.
func TestFiguresOfTurnsAgreeWithTheArchive(t *testing.T) {
	dir := t.TempDir()
	archive, statusFile := filepath.Join(dir, "raw.jsonl"), filepath.Join(dir, "status.json")
	const talks, turns = 60, 3
	var input strings.Builder
	for i := range talks {
		fmt.Fprintf(&input, `{"id":"c%d","turns":["a %d","b","c"],"dataset":"d%d"}`+"\n", i, i, i%3)
	}
	args := []string{
		"--server", "sim:?latency=0&parser=on&empty=0.1&fail=500:0.2,400:0.05&seed=7", "--turns", "all", "--max-tokens", "60", "--continue", "4096",
		"--attempts", "20", "--max-bad", "100%", "--require", "none", "--progress", "always", "--status", statusFile, "-o", archive,
	}
	code, _, log := gen(t, input.String(), args...)
	c := countTurns(t, archive, turns)
	if code != 0 || c.done+c.dead != talks*turns || c.dead == 0 || c.without == 0 || c.requests-c.retried == c.requests {
		t.Fatalf("exit %d, %+v: %s", code, c, log)
	}
	for _, want := range []string{
		fmt.Sprintf("%d in = %d done + 0 failed + %d dead", talks*turns, c.done, c.dead),
		fmt.Sprintf("gen: %d done in ", c.done), fmt.Sprintf("%s without thinking, %d retried", progress.Percent(float64(c.without)/float64(c.answers)), c.retried),
	} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in %s", want, log)
		}
	}
	c.compare(t, "--status", readFigures(t, "status", statusFile), 0)
	alone := countArchive(t, archive) // it knows nothing of turns that were not asked
	alone.compare(t, "gen status of the archive", readFigures(t, "status of the archive", archive), 0)

	if code, _, log = gen(t, input.String(), args...); code != 0 {
		t.Fatalf("resumed: exit %d: %s", code, log)
	}
	if f := readFigures(t, "status", statusFile); f.Before != c.done || f.Done != c.done || f.Dead != c.dead || f.Requests != 0 {
		t.Errorf("resumed: %+v, the archive %+v", f.Account, c)
	}
}

// resumed runs the same command again: what was done before is not counted as
// work of this run.
func resumed(t *testing.T, args []string, archive, statusFile string, before countedLines) {
	t.Helper()
	w := watchRun(t, args...)
	go func() {
		for i := range 310 {
			fmt.Fprintf(w.input, `{"id":"p%d","prompt":"What is %d?","dataset":"d%d"}`+"\n", i, i, i%3)
		}
		w.input.Close()
	}()
	if code := <-w.code; code != 0 {
		t.Fatalf("exit %d: %s", code, w.log)
	}
	f, all := readFigures(t, "status", statusFile), countArchive(t, archive)
	if f.Before != before.done || f.Done != all.done || f.Dead != all.dead || f.Failed != all.failed || f.In != 310 {
		t.Errorf("%+v, the archive %+v", f.Account, all)
	}
	if f.Requests != all.requests-before.requests || f.Answers != all.answers-before.answers || f.Tokens != all.tokens-before.tokens || f.Shares.Without != all.without-before.without {
		t.Errorf("of this run: %+v %+v, the archive %+v, before %+v", f.Account, f.Shares, all, before)
	}
	if maps.Equal(f.Codes, all.codes) {
		t.Errorf("failures of the run before are counted: %v", f.Codes)
	}
}

// readFigures is what gen status says of a file.
func readFigures(t *testing.T, what, file string) *monitor.Figures {
	t.Helper()
	code, out, log := gen(t, "", "status", "--json", file)
	var f monitor.Figures
	if err := json.Unmarshal([]byte(out), &f); err != nil || code > 1 {
		t.Fatalf("%s: exit %d, %v: %s%s", what, code, err, out, log)
	}
	return &f
}

// How many answers are wanted is what came, once all came.
func TestExpected(t *testing.T) {
	for _, f := range []struct {
		known, in int64
		more      bool
		want      int64
	}{{-1, 5, true, -1}, {-1, 5, false, -1}, {12, 5, true, 12}, {12, 10, false, 10}, {6, 30, true, 30}, {6, 30, false, 30}} {
		l := &loop{known: f.known, more: f.more, tally: tally{in: f.in}}
		if got := l.expected(); got != f.want {
			t.Errorf("%+v: %d", f, got)
		}
	}
}
