// Command gen measures gen with many requests in flight beside a client written
// in Python with asyncio and aiohttp, in turn, against the simulated server in a
// process of its own; then whether memory stays flat over many prompts:
//
//	make bench-gen
//	go run ./scripts/bench/gen -c 10000 -answers 30000 -latency 10s -prompts 1000000
//
// It needs bin/ (make build); without python3 and its aiohttp the peer is said to
// be missing. Each process needs -c + some hundred file descriptors.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

type bench struct {
	dir         string
	concurrency int
	answers     int
	latency     time.Duration // of the server, per answer
	runs        int
}

func main() {
	b := &bench{}
	flag.IntVar(&b.concurrency, "c", 10000, "requests in flight")
	flag.IntVar(&b.answers, "answers", 30000, "prompts of a run")
	flag.DurationVar(&b.latency, "latency", 10*time.Second, "how long the server takes for an answer")
	flag.IntVar(&b.runs, "n", 1, "runs of each client, in turn")
	prompts := flag.Int("prompts", 1_000_000, "one-token prompts of the run whose memory is watched; 0: none")
	flag.Parse()
	if err := b.run(*prompts); err != nil {
		fmt.Fprintln(os.Stderr, "bench-gen:", err)
		os.Exit(1)
	}
}

func (b *bench) run(prompts int) (err error) {
	if b.dir, err = os.MkdirTemp("", "thinkpipe-bench-gen-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.inFlight(); err != nil || prompts == 0 {
		return err
	}
	return b.flat(prompts)
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// inFlight compares the clients with b.concurrency requests in flight.
func (b *bench) inFlight() error {
	if err := writePrompts(b.path("prompts.jsonl"), b.answers); err != nil {
		return err
	}
	fmt.Printf("\n%d answers of %v, %d in flight, %d cores, %s; the simulated server beside it in its own process\n\n",
		b.answers, b.latency, b.concurrency, runtime.NumCPU(), runtime.Version())
	fmt.Println("| client | wall s | CPU s per 1000 answers | peak MiB | MiB per 1000 in flight | late, median ms | late, p99 ms |")
	fmt.Println("|---|---|---|---|---|---|---|")
	clients := []client{gen, aiohttp}
	var cpu [2]float64
	for range b.runs {
		for i, c := range clients {
			if reason := c.missing(); reason != "" {
				fmt.Printf("| %s | %s | | | | | |\n", c.name, reason)
				continue
			}
			f, err := b.measure(c, b.path("prompts.jsonl"), b.answers)
			if err != nil {
				return err
			}
			cpu[i] += f.cpu
			fmt.Println(b.row(c.name, f))
		}
	}
	if cpu[1] > 0 {
		fmt.Printf("\ngen took %.1f times less CPU\n", cpu[1]/cpu[0])
	}
	return nil
}

func (b *bench) row(name string, f figures) string {
	return fmt.Sprintf("| %s | %.1f | %.3f | %d | %.1f | %.0f | %.0f |", name, f.wall, f.cpu/float64(b.answers)*1000,
		f.peak>>20, float64(f.peak)/(1<<20)/float64(b.concurrency)*1000, f.late[0], f.late[1])
}

// flat runs gen over many prompts whose answers are one token long, and prints
// its memory on the way.
func (b *bench) flat(prompts int) error {
	if err := writePrompts(b.path("many.jsonl"), prompts); err != nil {
		return err
	}
	fmt.Printf("\n%d prompts, one token an answer, 256 in flight: resident MiB of gen on the way\n\n", prompts)
	b.concurrency, b.latency = 256, 0
	f, err := b.measure(gen, b.path("many.jsonl"), prompts)
	if err != nil {
		return err
	}
	fmt.Println(f.memory())
	fmt.Printf("%.0f answers a second, %.0f µs of CPU an answer\n", float64(prompts)/f.wall, f.cpu/float64(prompts)*1e6)
	return nil
}
