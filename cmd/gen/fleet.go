package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

// fleet is what a --servers-file says:
//
//	# one server a line
//	http://gpu1:8000
//	http://gpu2:8000
//	concurrency=64
//
// A line concurrency=N, or short-concurrency=N and long-concurrency=N with two
// lanes, wins over the flag of that name as long as it stands there.
type fleet struct {
	urls  []string
	slots map[string]int
}

// maxFleet bounds the file: one that is larger is something else.
const maxFleet = 1 << 20

// readFleet reads the file; path "" is an empty fleet.
func readFleet(path string) (fleet, error) {
	f := fleet{slots: map[string]int{}}
	if path == "" {
		return f, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return f, cmdline.FileError(path, err)
	}
	if len(text) > maxFleet {
		return f, fmt.Errorf("%s is larger than %d bytes", path, maxFleet)
	}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		words, _, _ := strings.Cut(string(line), "#")
		if err := f.line(strings.TrimSpace(words)); err != nil {
			return f, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	if len(f.urls) == 0 {
		return f, fmt.Errorf("%s names no server", path)
	}
	return f, nil
}

func (f *fleet) line(words string) error {
	name, value, setting := strings.Cut(words, "=")
	switch {
	case words == "":
	case setting && strings.HasSuffix(name, "concurrency") && !strings.Contains(words, ":/"): // a URL may hold a key
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("%s is no number above 0", cmdline.Quote(value))
		}
		f.slots[name] = n
	case strings.ContainsAny(words, " \t"):
		return errors.New("a line is one URL, or concurrency=N for each of them")
	case slices.Contains(f.urls, words):
		return errors.New("this server is named twice")
	default:
		f.urls = append(f.urls, words)
	}
	return nil
}

// slotFlags are the flags of the lanes' slots, in their order.
func (c *config) slotFlags() []string {
	if len(c.lanes) == 1 {
		return []string{"concurrency"}
	}
	return []string{"short-concurrency", "long-concurrency"}
}

// slotsOf are the slots of the lanes under a fleet.
func (c *config) slotsOf(f fleet) (slots []int) {
	for i, flag := range c.slotFlags() {
		slots = append(slots, cmp.Or(f.slots[flag], c.lanes[i].slots))
	}
	return slots
}

// fits reports what in a fleet does not fit the lanes of the run.
func (c *config) fits(f fleet) error {
	for name := range f.slots {
		if flags := c.slotFlags(); !slices.Contains(flags, name) {
			return fmt.Errorf("%s= does not fit the lanes of this run: %s", cmdline.Quote(name), strings.Join(flags, ", "))
		}
	}
	return nil
}

func (c *config) checkFleet(*cmdline.Session) error {
	if err := c.fits(c.fleet); err != nil {
		return cmdline.Usagef("--servers-file: %w", err)
	}
	return nil
}
