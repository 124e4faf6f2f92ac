// Command chaos breaks gen at random until it has done so often enough, and then
// looks whether anything was lost:
//
//	make chaos
//	go run ./scripts/chaos -events 1000 -seed 7
//
// Each run asks a simulated server that misbehaves in every way it can, in a
// process of its own. Meanwhile gen is killed, told to drain, stopped and
// continued, or finds its disk full; the server is killed and started again; the
// archive's tail is torn. The same command is started again until it ends by
// itself. Then every prompt must have exactly one success or one dead line, every
// line must parse and every sha256 must hold.
//
// With -soak (make soak) long runs meet servers that close idle connections, and
// are stopped for two minutes and continued: no request may fail or be sent twice.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// event is one thing that goes wrong.
type event string

const (
	kill    event = "gen killed (SIGKILL)"
	drain   event = "gen drained (SIGTERM)"
	suspend event = "gen stopped and continued"
	restart event = "server killed and restarted"
	full    event = "disk full"
	tear    event = "archive torn"
)

var events = []event{kill, kill, drain, suspend, restart, full, tear}

// misbehaviour is how the simulated server answers.
const misbehaviour = "latency=15ms&tokens=40&fail=429:0.01,500:0.03,503:0.01,400:0.01&cut=0.02&stall=0.003&reset=0.02&zombie=0.05&slots=64&idle-close=50ms"

// chaos is a sequence of runs.
type chaos struct {
	gen    string // the program
	dir    string
	rand   *rand.Rand
	log    io.Writer
	tally  map[event]int
	found  account
	runs   int
	starts int // of gen
}

func main() {
	count := flag.Int("events", 1000, "events at least")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the events")
	gen := flag.String("gen", "bin/gen", "the program")
	workers := flag.Int("j", 6, "runs at a time")
	long := flag.Bool("soak", false, "instead, let long runs meet closing connections and a stop of two minutes")
	flag.Parse()
	work := func() error { return run(*gen, *count, *seed, *workers, os.Stdout) }
	if *long {
		work = func() error { return soakAll(*gen, 5*time.Second, 2*time.Minute, os.Stdout) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

// run makes at least count events in several runs at a time and checks what each
// run leaves.
func run(gen string, count int, seed uint64, workers int, log io.Writer) error {
	gen, err := filepath.Abs(gen)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "thinkpipe-chaos-")
	if err != nil {
		return err
	}
	fmt.Fprintf(log, "seed %d, in %s\n", seed, dir)
	all := make([]*chaos, workers)
	failed := make([]error, workers)
	var running sync.WaitGroup
	for i := range all {
		c := &chaos{gen: gen, dir: filepath.Join(dir, strconv.Itoa(i)), log: log, tally: map[event]int{}}
		c.rand = rand.New(rand.NewPCG(seed, uint64(i)))
		all[i] = c
		running.Go(func() { failed[i] = c.loop((count + workers - 1) / workers) })
	}
	running.Wait()
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("%w; %s is left as it is", err, dir)
	}
	report(log, all)
	return os.RemoveAll(dir)
}

// loop makes at least count events.
func (c *chaos) loop(count int) error {
	if err := os.Mkdir(c.dir, 0o777); err != nil {
		return err
	}
	for c.happened() < count {
		found, err := c.run(count)
		if err != nil {
			return fmt.Errorf("run %d in %s: %w", c.runs, c.dir, err)
		}
		c.found.add(found)
		fmt.Fprintf(c.log, "run %d: %d events so far, %v\n", c.runs, c.happened(), found)
	}
	return nil
}

func (c *chaos) happened() (n int) {
	for _, times := range c.tally {
		n += times
	}
	return n
}

// report prints what happened in all.
func report(log io.Writer, all []*chaos) {
	tally := map[event]int{}
	var happened, runs, starts int
	var found account
	for _, c := range all {
		happened, runs, starts = happened+c.happened(), runs+c.runs, starts+c.starts
		found.add(c.found)
		for e, times := range c.tally {
			tally[e] += times
		}
	}
	fmt.Fprintf(log, "\n%d events in %d runs, gen was started %d times:\n", happened, runs, starts)
	for _, e := range slices.Sorted(maps.Keys(tally)) {
		fmt.Fprintf(log, "  %5d  %s\n", tally[e], e)
	}
	fmt.Fprintf(log, "%v: nothing lost, nothing twice\n", found)
}

// run is one archive from its beginning to its end.
func (c *chaos) run(count int) (account, error) {
	c.runs++
	archive := filepath.Join(c.dir, fmt.Sprintf("raw.%d.%s", c.runs, c.pick("jsonl", "jsonl.zst", "jsonl.gz")))
	prompts, n, err := c.prompts()
	if err != nil {
		return account{}, err
	}
	server, err := serve(c.gen, "127.0.0.1:0", c.misbehaves())
	if err != nil {
		return account{}, err
	}
	defer func() { server.stop() }()
	patience := 40 // events of one run
	for {
		left := patience > 0 && c.happened() < count
		ended, err := c.start(&server, archive, prompts, left)
		if err != nil {
			return account{}, err
		}
		if ended {
			break
		}
		patience--
	}
	found, err := check(archive, n)
	if err == nil {
		err = os.Remove(archive)
	}
	return found, err
}

// misbehaves are the keys of a server that does what it can, in its own order.
func (c *chaos) misbehaves() string {
	return fmt.Sprintf("%s&seed=%d", misbehaviour, c.rand.IntN(1000))
}

func (c *chaos) pick(names ...string) string { return names[c.rand.IntN(len(names))] }

// prompts writes a file of prompts and returns their number.
func (c *chaos) prompts() (path string, n int, err error) {
	n = 40 + c.rand.IntN(80)
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"r%d-p%d","prompt":"What is %d plus %d?"}`+"\n", c.runs, i, i, c.rand.IntN(1000))
	}
	path = filepath.Join(c.dir, "prompts.jsonl")
	return path, n, os.WriteFile(path, []byte(b.String()), 0o666)
}

// start starts gen once and lets something happen to it; ended says that it came
// to its end by itself.
func (c *chaos) start(server *server, archive, prompts string, disturb bool) (ended bool, err error) {
	e := events[c.rand.IntN(len(events))]
	if !disturb {
		e = ""
	}
	c.starts++
	limit := "unlimited"
	if e == full {
		limit = fmt.Sprint(1 + size(archive)/512 + int64(c.rand.IntN(60)))
	}
	var words strings.Builder
	args := fmt.Sprintf("ulimit -f %s; exec %s --server http://%s -c %d --attempts 50 --timeout idle=1s,total=2s --sync-interval 30ms --grace 200ms --max-bad 100%% --progress never -o %s %s",
		limit, c.gen, server.address, 1+c.rand.IntN(12), archive, prompts)
	cmd := exec.Command("sh", "-c", args)
	cmd.Stderr = &words
	if err := cmd.Start(); err != nil {
		return false, err
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	code, err := c.disturb(e, cmd.Process, server, exited)
	if err != nil {
		return false, err
	}
	if e == tear {
		c.tally[tear]++
		return false, c.tear(archive)
	}
	if want := codes(e); !slices.Contains(want, code) {
		return false, fmt.Errorf("gen ended with %d, want one of %v, after %q:\n%s", code, want, e, words.String())
	}
	return code == 0, nil
}

// codes are the exit codes that gen may end with.
func codes(e event) []int {
	switch e {
	case kill:
		return []int{0, 137}
	case drain:
		return []int{0, 75, 143}
	case full:
		return []int{0, 3}
	case restart:
		return []int{0, 69, 75}
	}
	return []int{0}
}

// disturb makes the event happen after a while and waits for the end.
func (c *chaos) disturb(e event, p *os.Process, s *server, exited <-chan error) (code int, err error) {
	wait := time.After(time.Duration(10+c.rand.IntN(350)) * time.Millisecond)
	if e == "" || e == full {
		if e == full {
			c.tally[full]++
		}
		return exitCode(<-exited), nil
	}
	select {
	case err := <-exited:
		return exitCode(err), nil // it was quicker
	case <-wait:
	}
	c.tally[e]++
	switch e {
	case kill, tear:
		p.Signal(syscall.SIGKILL)
	case drain:
		p.Signal(syscall.SIGTERM)
	case suspend:
		p.Signal(syscall.SIGSTOP)
		time.Sleep(time.Duration(c.rand.IntN(200)) * time.Millisecond)
		p.Signal(syscall.SIGCONT)
	case restart:
		s.stop()
		time.Sleep(time.Duration(c.rand.IntN(100)) * time.Millisecond)
		if *s, err = serve(c.gen, s.address, c.misbehaves()); err != nil {
			return 0, err
		}
	}
	return exitCode(<-exited), nil
}

// exitCode is what a shell shows.
func exitCode(err error) int {
	exit, ok := err.(*exec.ExitError)
	if !ok {
		return 0
	}
	if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}

// tear cuts bytes off the archive's end, as a crash of the machine may.
func (c *chaos) tear(archive string) error {
	n := size(archive)
	if n == 0 {
		return nil
	}
	return os.Truncate(archive, n-c.rand.Int64N(min(n, 2000)+1))
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
