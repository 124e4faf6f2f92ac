// Command bench measures extract and validate against what people use instead,
// in turn in one run (A B A B …), whole processes, and prints medians and ratios:
//
//	make bench
//	go run ./scripts/bench -mb 1000 -n 5
//
// It needs bin/ (make build); the peers are python3, with its zstandard module
// for compressed input, and zstd. A peer that is not there is said to be missing.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// figures are what one run of a command took.
type figures struct {
	wall, cpu float64 // seconds
	peak      int64   // KiB, of the largest process
}

// command is a program and what it is called in the table.
type command struct {
	name string
	args []string
}

type bench struct {
	dir   string
	bytes int64 // of the archive, uncompressed
	runs  int
}

func main() {
	mb := flag.Int64("mb", 256, "size of the archive in MB")
	runs := flag.Int("n", 5, "counted runs of each command, after one that is not")
	only := flag.String("only", "", "comparisons whose name holds `TEXT`, such as samples")
	flag.Parse()
	if err := run(*mb*1e6, *runs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(bytes int64, runs int, only string) error {
	dir, err := os.MkdirTemp("", "thinkpipe-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, runs: runs}
	if err := b.corpus(bytes); err != nil {
		return err
	}
	fmt.Printf("\n%d MB, %d cores, %s, median of %d runs in turn; output to /dev/null\n\n", b.bytes/1e6, runtime.NumCPU(), runtime.Version(), runs)
	fmt.Println("| ours | MB/s | CPU s | peak MiB | peer | MB/s | CPU s | faster, wall | less CPU |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, pair := range b.pairs() {
		if !strings.Contains(pair[0].name, only) {
			continue
		}
		if err := b.compare(pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// corpus writes the archive: plain, as one zstd frame where the zstd tool is
// there, and as many frames, as gen writes them.
func (b *bench) corpus(bytes int64) error {
	fmt.Println("writing the archive …")
	plain := b.path("archive.jsonl")
	if err := sh("go run ./scripts/bench/corpus -bytes %d > %s", bytes, plain); err != nil {
		return err
	}
	info, err := os.Stat(plain)
	if err != nil {
		return err
	}
	b.bytes = info.Size()
	if err := sh("bin/shard --select 0/1 -q --zstd -o %s %s", b.path("frames.jsonl.zst"), plain); err != nil {
		return err
	}
	samples := b.path("samples.jsonl")
	if err := sh("bin/extract -q -o %s %s", samples, plain); err != nil {
		return err
	}
	if has("zstd") {
		return sh("zstd -q -3 %s -o %s && zstd -q -3 %s", plain, b.path("one.jsonl.zst"), samples)
	}
	return nil
}

// pairs are the comparisons: ours, then the peer.
func (b *bench) pairs() [][2]command {
	ours := func(job, file string) command {
		args := []string{"bin/" + job, "-q", b.path(file)}
		if job == "validate" {
			args = slices.Concat(args, []string{"--check", "--allow", "truncated", "--allow", "empty-content", "--allow", "empty-reasoning"})
		}
		return command{job + " " + file, args}
	}
	peer := func(job, file string) command {
		return command{"python3 json, " + job, []string{"python3", "scripts/bench/peer.py", job, b.path(file)}}
	}
	zstd := func(file string) command { return command{"zstd -d", []string{"zstd", "-d", "-q", "-c", b.path(file)}} }
	return [][2]command{
		{ours("extract", "archive.jsonl"), peer("extract", "archive.jsonl")},
		{ours("validate", "archive.jsonl"), peer("validate", "archive.jsonl")},
		{ours("extract", "one.jsonl.zst"), peer("extract", "one.jsonl.zst")},
		{ours("extract", "one.jsonl.zst"), zstd("one.jsonl.zst")},
		{ours("validate", "one.jsonl.zst"), zstd("one.jsonl.zst")},
		{ours("extract", "frames.jsonl.zst"), zstd("frames.jsonl.zst")},
		{ours("validate", "frames.jsonl.zst"), zstd("frames.jsonl.zst")},
		{ours("validate", "samples.jsonl"), peer("samples", "samples.jsonl")},
		{ours("validate", "samples.jsonl.zst"), peer("samples", "samples.jsonl.zst")},
		{ours("validate", "samples.jsonl.zst"), zstd("samples.jsonl.zst")},
	}
}

// compare runs two commands in turn and prints a row.
func (b *bench) compare(ours, peer command) error {
	if reason := missing(peer); reason != "" {
		fmt.Printf("| %s | | | | %s: %s | | | | |\n", ours.name, peer.name, reason)
		return nil
	}
	var a, p []figures
	for i := -1; i < b.runs; i++ {
		x, err := measure(ours)
		if err != nil {
			return err
		}
		y, err := measure(peer)
		if err != nil {
			return err
		}
		if i >= 0 {
			a, p = append(a, x), append(p, y)
		}
	}
	wall, cpu := func(f figures) float64 { return f.wall }, func(f figures) float64 { return f.cpu }
	mbs := func(f []figures) float64 { return float64(b.bytes) / 1e6 / median(f, wall) }
	fmt.Printf("| %s | %.0f | %.2f | %d | %s | %.0f | %.2f | %.2f× | %.2f× |\n", ours.name, mbs(a), median(a, cpu), slices.MaxFunc(a, byPeak).peak/1024,
		peer.name, mbs(p), median(p, cpu), ratio(p, a, wall), ratio(p, a, cpu))
	return nil
}

func byPeak(a, b figures) int { return cmp.Compare(a.peak, b.peak) }

// missing says why a peer cannot be run, "" when it can.
func missing(c command) string {
	switch {
	case !has(c.args[0]):
		return c.args[0] + " is not installed"
	case c.args[0] == "python3" && filepath.Ext(c.args[len(c.args)-1]) == ".zst" && exec.Command("python3", "-c", "import zstandard").Run() != nil:
		return "the zstandard module is not installed"
	}
	if _, err := os.Stat(c.args[len(c.args)-1]); err != nil {
		return "no such file, zstd is not installed"
	}
	return ""
}

func has(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func measure(c command) (figures, error) {
	cmd := exec.Command(c.args[0], c.args[1:]...)
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return figures{}, err
	}
	defer null.Close()
	cmd.Stdout = null
	start := time.Now()
	if out, err := cmd, cmd.Run(); err != nil {
		return figures{}, fmt.Errorf("%v: %w", out.Args, err)
	}
	wall := time.Since(start).Seconds()
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return figures{wall, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), usage.Maxrss}, nil
}

func median(f []figures, of func(figures) float64) float64 {
	var v []float64
	for _, x := range f {
		v = append(v, of(x))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// ratio is the median of the ratios of pairs of neighbouring runs.
func ratio(over, under []figures, of func(figures) float64) float64 {
	var v []float64
	for i := range over {
		v = append(v, of(over[i])/of(under[i]))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

func sh(format string, args ...any) error {
	cmd := exec.Command("sh", "-c", fmt.Sprintf(format, args...))
	cmd.Stderr = os.Stderr
	return cmd.Run()
}
