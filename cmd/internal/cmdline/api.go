package cmdline

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// Streams are what a process is given. Only main.go fills one from os.
type Streams struct {
	Args []string // with the program's name
	In   io.Reader
	Out  io.Writer
	Err  io.Writer
}

// Command is one of the four, or one of its subcommands.
type Command struct {
	Name        string
	Usage       string     // one line: "split prompts into shards"
	Arguments   string     // "[FILE …]"; "" when it takes none
	Examples    string     // shell lines shown in --help
	Flags       []cli.Flag // its own; Hidden ones are shown by --help-all only
	Shared      Shared     // which of the shared flags it takes
	Subcommands []*Command
	Run         func(ctx context.Context, s *Session) error
	// HandlesSignals: ctx is not cancelled by signals and the command installs
	// its own handling (gen). Otherwise SIGINT and SIGTERM kill the process at once.
	HandlesSignals bool
}

// Shared chooses groups of shared flags.
type Shared uint

const (
	Reads   Shared = 1 << iota // -j, --max-line-bytes, --max-window, --rejects, --max-bad
	Writes                     // -o, --zstd, --zstd-level
	Watched                    // --progress
)

// Main runs the command line and returns the process's exit code, after
// everything that was deferred ran.
func Main(c *Command, s Streams) int { panic("todo") }

// Session is one run of a command: what it was given and what all commands share.
type Session struct {
	*cli.Context // the parsed flags
	Streams
}

// Inputs are the files of the command line, standard input for "-" or none.
func (s *Session) Inputs() []jsonl.Source { panic("todo") }

// Options are the reading options of the shared flags.
func (s *Session) Options() jsonl.Options { panic("todo") }

// Output is where lines go: -o FILE or standard output.
type Output struct{}

// Output opens it. What is written appears under its name on [Session.Finish]
// without an error only.
func (s *Session) Output() (*Output, error) { panic("todo") }

func (o *Output) Write(p []byte) (int, error) { panic("todo") } // whole lines
