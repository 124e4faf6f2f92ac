package cmdline

import (
	"regexp"

	"github.com/urfave/cli/v2"
)

// newApp is the one place that makes an urfave/cli application. As it comes,
// the library writes usage errors and help to standard output, ends the process
// inside Run, stops at the first argument that is no flag, splits repeated
// flags at commas, and takes "help" for a command. Here it only gives flags
// their values: help, version and subcommands are ours, and what it gets is
// already in order (see grammar).
func newApp(c *Command, s Streams, action cli.ActionFunc) *cli.App {
	return &cli.App{
		Name:                      c.Name,
		Flags:                     c.allFlags(),
		Action:                    action,
		Reader:                    s.In,
		Writer:                    s.Err, // nothing of its own belongs into the data
		ErrWriter:                 s.Err,
		HideHelp:                  true,
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return err },
		ExitErrHandler:            func(*cli.Context, error) {},
	}
}

var invalidValue = regexp.MustCompile(`(?s)^invalid (?:boolean )?value (".*") for (?:flag )?-([a-z0-9-]+): (.*)$`)

// usageFromFlag is the library's complaint about a flag's value in our words.
func usageFromFlag(err error) error {
	m := invalidValue.FindStringSubmatch(err.Error())
	if m == nil {
		return Usagef("%v", err)
	}
	return Usagef("--%s: %s is %s", m[2], m[1], m[3])
}
