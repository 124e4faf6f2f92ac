package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// soak is one long run and what happens to it.
type soak struct {
	name     string
	server   string // keys of the simulated one
	prompts  int
	flags    string
	again    bool // requests may be sent again
	happens  func(s *soak) error
	cmd      *exec.Cmd
	serving  server
	standing time.Duration // how long gen is stopped
}

// soaks take two minutes when idle is 5 s and standing is two minutes; tests make
// both short.
func soaks(idle, standing time.Duration) []*soak {
	const spread = 12 // idle times
	steady := 1000 / (spread * idle.Seconds())
	slow := standing / 40
	return []*soak{
		{name: "keep-alive, requests in a row", prompts: 1000, server: fmt.Sprintf("latency=0&tokens=20&idle-close=%v", idle),
			flags: fmt.Sprintf("-c 8 --attempts 1 --rate %f/s", steady)},
		{name: "keep-alive, each request when its connection closes", prompts: 200, server: fmt.Sprintf("latency=0&tokens=20&idle-close=%v", spread*idle/200),
			flags: fmt.Sprintf("-c 1 --attempts 1 --rate %f/s", steady/5)},
		{name: "stopped and continued", prompts: 100, server: fmt.Sprintf("latency=%v&tokens=20&idle-close=%v", slow, idle),
			flags: fmt.Sprintf("-c 8 --attempts 1 --timeout total=%v,idle=%v", 20*slow, 10*slow), standing: standing, happens: (*soak).suspend},
		{name: "stopped while the server restarts", prompts: 100, server: fmt.Sprintf("latency=%v&tokens=20&idle-close=%v", slow, idle),
			flags: fmt.Sprintf("-c 8 --attempts 2 --timeout total=%v,idle=%v", 20*slow, 10*slow), standing: standing, happens: (*soak).suspendAndRestart, again: true},
	}
}

// soakAll does all at once.
func soakAll(gen string, idle, standing time.Duration, log io.Writer) error {
	gen, err := filepath.Abs(gen)
	if err != nil {
		return err
	}
	all := soaks(idle, standing)
	failed := make([]error, len(all))
	var running sync.WaitGroup
	for i, s := range all {
		running.Go(func() {
			began := time.Now()
			told, err := s.run(gen)
			if failed[i] = err; err != nil {
				failed[i] = fmt.Errorf("%s: %w", s.name, err)
				return
			}
			fmt.Fprintf(log, "%s: %s in %v\n", s.name, told, time.Since(began).Round(time.Second))
		})
	}
	running.Wait()
	return errors.Join(failed...)
}

// run asks all prompts and holds that each was answered, and sent once.
func (s *soak) run(gen string) (told string, err error) {
	dir, err := os.MkdirTemp("", "thinkpipe-soak-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if s.serving, err = serve(gen, "127.0.0.1:0", s.server); err != nil {
		return "", err
	}
	defer func() { s.serving.stop() }()
	archive := filepath.Join(dir, "raw.jsonl")
	args := strings.Fields(s.flags + " --no-probe --progress never --sync-interval 100ms --server http://" + s.serving.address + " -o " + archive)
	s.cmd = exec.Command(gen, args...)
	var prompts strings.Builder
	for i := range s.prompts {
		fmt.Fprintf(&prompts, `{"id":"p%d","prompt":"What is %d plus %d?"}`+"\n", i, i, i)
	}
	var words bytes.Buffer
	s.cmd.Stdin, s.cmd.Stderr = strings.NewReader(prompts.String()), &words
	if err := s.cmd.Start(); err != nil {
		return "", err
	}
	if s.happens != nil {
		if err := s.happens(s); err != nil {
			s.cmd.Process.Kill()
			s.cmd.Wait()
			return "", err
		}
	}
	if code := exitCode(s.cmd.Wait()); code != 0 {
		return "", fmt.Errorf("gen ended with %d:\n%s", code, words.String())
	}
	return s.check(archive)
}

func (s *soak) check(archive string) (told string, err error) {
	found, err := check(archive, s.prompts)
	if err != nil {
		return "", err
	}
	if s.again {
		return found.String(), nil
	}
	arrived, err := s.serving.count("simulator_requests_total")
	if err == nil && (found.lines != s.prompts || arrived != s.prompts) {
		err = fmt.Errorf("%v; %d requests arrived", found, arrived)
	}
	return fmt.Sprintf("%v, %d requests arrived", found, arrived), err
}

// suspend stops gen for a while, once answers are under way.
func (s *soak) suspend() error { return s.standStill(func() error { return nil }) }

func (s *soak) suspendAndRestart() error {
	return s.standStill(func() error {
		s.serving.stop()
		var err error
		s.serving, err = serve(s.cmd.Path, s.serving.address, s.server)
		return err
	})
}

func (s *soak) standStill(meanwhile func() error) error {
	for {
		n, err := s.serving.count("simulator_answers_total")
		if err != nil {
			return err
		}
		if n >= s.prompts/5 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(s.standing / 80) // into the middle of answers
	s.cmd.Process.Signal(syscall.SIGSTOP)
	err := meanwhile()
	time.Sleep(s.standing)
	s.cmd.Process.Signal(syscall.SIGCONT)
	return err
}

// count is one of the server's counters.
func (s *server) count(name string) (n int, err error) {
	resp, err := http.Get("http://" + s.address + "/metrics")
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(string(text), "\n"+name+" ")
	if !ok {
		return 0, fmt.Errorf("no %s", name)
	}
	_, err = fmt.Sscan(rest, &n)
	return n, err
}
