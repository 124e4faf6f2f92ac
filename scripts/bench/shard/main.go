// Command shard measures bin/shard with generated prompts, whole processes: how
// fast it splits beside "split -n l/N" of coreutils, in turn in one run, and what
// memory an anti-join takes.
//
//	make bench-shard
//	go run ./scripts/bench/shard -gb 10 -ids 0        # throughput alone, 10 GB
//	go run ./scripts/bench/shard -gb 0 -ids 50000000  # 50 million ids against 50 million done
//
// Input and shards go to a folder in -dir, which must have room for three times the
// size; ids come through pipes. It needs bin/ (make build).
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

func main() {
	gb := flag.Float64("gb", 1, "size of the prompts that are split, in GB; 0 for none")
	runs := flag.Int("n", 3, "counted runs of each command, after one that is not")
	ids := flag.Int("ids", 5_000_000, "ids that are held against as many done ids; 0 for none")
	dir := flag.String("dir", os.TempDir(), "where files go")
	flag.Parse()
	if err := run(*dir, int64(*gb*1e9), *runs, *ids); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(parent string, size int64, runs, ids int) error {
	dir, err := os.MkdirTemp(parent, "thinkpipe-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if size > 0 {
		if err := splits(dir, size, runs); err != nil {
			return err
		}
	}
	if ids > 0 {
		return antiJoin(dir, ids)
	}
	return nil
}

const shards = 8

// splits compares ways to split a file.
func splits(dir string, size int64, runs int) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return err
	}
	if free := int64(disk.Bavail) * int64(disk.Bsize); free < 3*size {
		return fmt.Errorf("%s has %d GB free, %d are needed", dir, free/1e9, 3*size/1e9)
	}
	fmt.Println("writing the prompts …")
	in := filepath.Join(dir, "prompts.jsonl")
	lines, err := writePrompts(in, size)
	if err != nil {
		return err
	}
	out := filepath.Join(dir, "out")
	commands := ways(dir, in, out)
	figures := make([][]figure, len(commands))
	for n := -1; n < runs; n++ {
		for i, args := range commands {
			f, err := measure(out, args)
			if err != nil {
				return err
			}
			if n >= 0 {
				figures[i] = append(figures[i], f)
			}
		}
	}
	fmt.Printf("\n%.1f GB, %d lines, into %d files, %d cores, %s, median of %d runs in turn\n\n", float64(size)/1e9, lines, shards, runtime.NumCPU(), runtime.Version(), runs)
	fmt.Println("| | MB/s | of split's | CPU s | peak MiB |")
	fmt.Println("|---|---|---|---|---|")
	for i := range commands {
		row(names[i], size, figures[0], figures[i])
	}
	return nil
}

// names are what the ways to split are called.
var names = [...]string{"split -n l/8", "--by range", "--by round-robin", "--by hash", "--by hash --manifest", "--by hash --shuffle"}

// ways are the commands, that of coreutils first.
func ways(dir, in, out string) [][]string {
	ours := func(args ...string) []string {
		return append(append([]string{"bin/shard", "-q", "-n", strconv.Itoa(shards), "-o", out + "/{shard}.jsonl"}, args...), in)
	}
	return [][]string{
		{"split", "-n", fmt.Sprintf("l/%d", shards), in, out + "/"},
		ours("--by", "range"),
		ours("--by", "round-robin"),
		ours("--by", "hash"),
		ours("--by", "hash", "--manifest", out+"/manifest"),
		ours("--by", "hash", "--shuffle", "1", "--tmp-dir", dir),
	}
}

// row prints what one command took beside the peer's runs of the same rounds.
func row(name string, size int64, peer, figures []figure) {
	rate := median(figures, func(_ int, f figure) float64 { return float64(size) / 1e6 / f.wall })
	ratio := median(figures, func(i int, f figure) float64 { return peer[i].wall / f.wall })
	cpu := median(figures, func(_ int, f figure) float64 { return f.cpu })
	peak := median(figures, func(_ int, f figure) float64 { return float64(f.peak) / 1024 })
	fmt.Printf("| %s | %.0f | %.2f× | %.1f | %.0f |\n", name, rate, ratio, cpu, peak)
}

// figure is what one run of a command took.
type figure struct {
	wall, cpu float64 // seconds
	peak      int64   // KiB
}

func measure(out string, args []string) (figure, error) {
	if err := os.RemoveAll(out); err != nil {
		return figure{}, err
	}
	if err := os.Mkdir(out, 0o777); err != nil {
		return figure{}, err
	}
	syscall.Sync() // nobody pays for what another wrote
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return figure{}, fmt.Errorf("%v: %w", args, err)
	}
	return figureOf(cmd, start), nil
}

func figureOf(cmd *exec.Cmd, start time.Time) figure {
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return figure{time.Since(start).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), usage.Maxrss}
}

func median(figures []figure, of func(int, figure) float64) float64 {
	var v []float64
	for i, f := range figures {
		v = append(v, of(i, f))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// writePrompts writes chat prompts of 0.1 to 4 kB.
func writePrompts(path string, size int64) (lines int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"the", "sum", "of", "all", "primes", "below", "why\\n", "does", "a", "\\\"train\\\"", "leave", "größer", "at", "noon", "explain", "step", "by", "step"}
	var line []byte
	for written := int64(0); written < size; lines++ {
		line = append(line[:0], `{"id":"prompt-`...)
		line = strconv.AppendInt(line, int64(lines), 10)
		line = append(line, `","dataset":"bench","messages":[{"role":"user","content":"`...)
		for range 10 + random.IntN(20)*random.IntN(20) {
			line = append(append(line, words[random.IntN(len(words))]...), ' ')
		}
		line = append(line, "\"}]}\n"...)
		written += int64(len(line))
		if _, err := w.Write(line); err != nil {
			return lines, err
		}
	}
	return lines, w.Flush()
}

// antiJoin gives ids 0 to n-1 as prompts, and those of every second number from 0
// on, n of them, as answered.
func antiJoin(dir string, n int) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close()
	cmd := exec.Command("bin/shard", "--exclude", "/dev/fd/3", "--tmp-dir", dir)
	cmd.ExtraFiles = []*os.File{read}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	var left lineCounter
	cmd.Stdout = &left
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	go writeIDs(write, n, 2, `{"custom_id":"id-`, `","response":{"status_code":200,"body":{"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}},"error":null}`)
	go writeIDs(in, n, 1, `{"id":"id-`, `","prompt":"2+2?"}`)
	if err := cmd.Wait(); err != nil {
		return err
	}
	f := figureOf(cmd, start)
	fmt.Printf("\n%d ids against %d done: %.0f s, %.0f s of CPU, %d MiB at most, %d left\n", n, n, f.wall, f.cpu, f.peak/1024, left)
	if want := n / 2; int(left) != want {
		return fmt.Errorf("%d lines are left, not %d", left, want)
	}
	return nil
}

func writeIDs(to io.WriteCloser, n, step int, before, after string) {
	w := bufio.NewWriterSize(to, 1<<20)
	var line []byte
	for i := range n {
		line = append(append(strconv.AppendInt(append(line[:0], before...), int64(i*step), 10), after...), '\n')
		w.Write(line) // who reads tells when it is cut
	}
	w.Flush()
	to.Close()
}

type lineCounter int

func (c *lineCounter) Write(p []byte) (int, error) {
	*c += lineCounter(bytes.Count(p, []byte{'\n'}))
	return len(p), nil
}
