package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// client asks the server at url every prompt and writes a line of JSON with
// custom_id and timing.total_ms an answer into out.
type client struct {
	name    string
	args    func(url, prompts string, concurrency int, out string) []string
	missing func() string // why it cannot be run
}

var (
	gen = client{
		name: "gen, synced archive",
		args: func(url, prompts string, concurrency int, out string) []string {
			return []string{"bin/gen", "-q", "--no-probe", "--server", url, "-c", strconv.Itoa(concurrency), "-o", out, prompts}
		},
		missing: func() string { return "" },
	}
	aiohttp = client{
		name: "python3, asyncio + aiohttp",
		args: func(url, prompts string, concurrency int, out string) []string {
			return []string{"python3", "scripts/bench/gen/aio.py", url, prompts, strconv.Itoa(concurrency), out}
		},
		missing: func() string {
			if exec.Command("python3", "-c", "import aiohttp").Run() != nil {
				return "python3 has no aiohttp: pip install aiohttp"
			}
			return ""
		},
	}
)

// figures are what one run of a client took.
type figures struct {
	wall, cpu float64    // seconds
	peak      int64      // bytes
	resident  []int64    // bytes, a sample a second
	late      [2]float64 // ms an answer came later than the server took: median, p99
}

// measure runs a client over n prompts against a server of its own.
func (b *bench) measure(c client, prompts string, n int) (f figures, err error) {
	tokens := 200
	if b.latency == 0 {
		tokens = 1
	}
	url, stop, err := serve(fmt.Sprintf("latency=%v&tokens=%d&idle-close=1h", b.latency, tokens))
	if err != nil {
		return f, err
	}
	defer stop()
	out := b.path("out.jsonl")
	defer os.Remove(out)
	args := c.args(url, prompts, b.concurrency, out)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return f, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if err := f.watch(cmd.Process.Pid, ended); err != nil {
		return f, fmt.Errorf("%v: %w", args, err)
	}
	f.wall = time.Since(start).Seconds()
	f.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	f.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
	f.late, err = b.lateness(out, n)
	return f, err
}

// watch samples the resident size every second until the process ends.
func (f *figures) watch(pid int, ended <-chan error) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
			f.resident = append(f.resident, resident(pid))
		}
	}
}

// memory shows the resident sizes at tenths of the run.
func (f *figures) memory() string {
	var b strings.Builder
	for i := range 10 {
		if n := len(f.resident); n > 0 {
			fmt.Fprintf(&b, "%d ", f.resident[(n-1)*(i+1)/10]>>20)
		}
	}
	return fmt.Sprintf("%s(peak %d)", b.String(), f.peak>>20)
}

// resident is VmRSS of /proc/PID/status, in bytes; 0 where there is none.
func resident(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return kib << 10
}

// lateness reads how long the answers took, beyond the server's own time, and
// checks that all n prompts are answered.
func (b *bench) lateness(out string, n int) (late [2]float64, err error) {
	file, err := os.Open(out)
	if err != nil {
		return late, err
	}
	defer file.Close()
	var over []float64
	ids := map[string]bool{}
	lines := bufio.NewReaderSize(file, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		var r struct {
			ID       string `json:"custom_id"`
			Response struct {
				Status int `json:"status_code"`
			} `json:"response"`
			Timing struct {
				Total float64 `json:"total_ms"`
			} `json:"timing"`
		}
		if err := errors.Join(err, json.Unmarshal(line, &r)); err != nil {
			return late, err
		}
		if r.Response.Status == 200 {
			ids[r.ID] = true
			over = append(over, r.Timing.Total-float64(b.latency.Milliseconds()))
		}
	}
	if len(ids) != n {
		return late, fmt.Errorf("%d prompts were answered, not %d", len(ids), n)
	}
	slices.Sort(over)
	return [2]float64{over[len(over)/2], over[len(over)*99/100]}, nil
}

// serve starts the simulated server in a process of its own.
func serve(keys string) (url string, stop func(), err error) {
	cmd := exec.Command("bin/gen", "simulate", "--listen", "127.0.0.1:0", keys)
	said, err := cmd.StderrPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { cmd.Process.Kill(); cmd.Wait() }
	line, err := bufio.NewReader(said).ReadString('\n')
	at := strings.Index(line, "http://")
	if err != nil || at < 0 {
		stop()
		return "", nil, fmt.Errorf("gen simulate said %q", line)
	}
	go io.Copy(io.Discard, said)
	return strings.TrimSpace(line[at:]), stop, nil
}

func writePrompts(path string, n int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	for i := range n {
		fmt.Fprintf(w, `{"id":"p-%07d","prompt":"What is %d plus %d?"}`+"\n", i, i, i/7)
	}
	return errors.Join(w.Flush(), file.Close())
}
