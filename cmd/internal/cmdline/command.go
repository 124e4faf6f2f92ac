package cmdline

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"
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
	Description string     // paragraphs shown in --help; may be empty
	Examples    string     // shell lines shown in --help
	Flags       []cli.Flag // its own; Hidden ones are shown by --help-all only
	Shared      Shared     // which of the shared flags it takes
	Subcommands []*Command
	// Run does the work. Its error decides the exit code, see [ExitCode];
	// outputs of the session are closed after it. SIGINT and SIGTERM kill the
	// process at once, unless Run handles them and returns [Signalled].
	Run func(ctx context.Context, s *Session) error
}

// Shared chooses groups of shared flags. --log-format, -q and -v are always there.
type Shared uint

// The groups. Reads also says that the arguments are input files, which must
// exist before Run is called.
const (
	Reads     Shared = 1 << iota // -j, --max-line-bytes, --max-window, --rejects, --max-bad
	Writes                       // -o, --zstd, --zstd-level
	Watched                      // --progress
	Documents                    // no flags; inputs may be JSON over many lines
)

// Main runs the command line and returns the process's exit code, after
// everything that was deferred ran. A panic of Run is not caught.
func Main(c *Command, s Streams) int {
	c, args := c.choose(s.Args[1:])
	g := newGrammar(c)
	line, err := g.parse(args)
	log := newLog(c.Name, s.Err, line)
	switch {
	case err != nil:
		return log.fail(err)
	case line.ask == "version":
		return log.print(s.Out, versionText(c.Name))
	case line.ask != "":
		return log.print(s.Out, helpText(c, line.ask == "help-all"))
	}
	return c.start(s, log, line)
}

// choose is the command that the first argument names and what follows it. The
// chosen one carries its full name, "shard merge".
func (c *Command) choose(args []string) (*Command, []string) {
	if len(args) == 0 {
		return c, args
	}
	for _, sub := range c.Subcommands {
		if sub.Name == args[0] {
			chosen := *sub
			chosen.Name = c.Name + " " + sub.Name
			return chosen.choose(args[1:])
		}
	}
	return c, args
}

// start hands the ordered command line to urfave/cli, which fills in the flags,
// and runs the command.
func (c *Command) start(streams Streams, log *Log, line commandLine) int {
	var session *Session
	var ran error
	app := newApp(c, streams, func(cc *cli.Context) error {
		session = newSession(cc, streams, log, c.Shared)
		ran = session.run(c)
		return nil
	})
	if err := app.Run(line.args(c.Name)); err != nil {
		return log.fail(usageFromFlag(err))
	}
	return log.die(streams, session.finish(ran))
}
