package cmdline

import (
	"slices"

	"github.com/urfave/cli/v2"
)

const gibi = 1 << 30

// allFlags are a command's own flags, then the shared ones it takes.
func (c *Command) allFlags() []cli.Flag { return slices.Concat(c.Flags, c.sharedFlags()) }

func (c *Command) sharedFlags() []cli.Flag {
	var groups [][]cli.Flag
	if c.Shared&Reads != 0 {
		groups = append(groups, readingFlags())
	}
	if c.Shared&Writes != 0 {
		groups = append(groups, writingFlags())
	}
	if c.Shared&Watched != 0 {
		groups = append(groups, watchingFlags())
	}
	return slices.Concat(append(groups, commonFlags())...)
}

func readingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "work with `N` goroutines", DefaultText: "one per core"},
		&cli.GenericFlag{Name: "max-bad", Value: new(Limit), Usage: "exit 0 although at most `N|RATE` records are bad: 5, 0.01 or 1%", DefaultText: "none"},
		&cli.StringFlag{Name: "rejects", Usage: "collect bad lines in `FILE`, with place and cause"},
		&cli.GenericFlag{Name: "max-line-bytes", Value: NewSize(gibi), Hidden: true, Usage: "a line of more than `SIZE` bytes is bad"},
		&cli.GenericFlag{Name: "max-window", Value: NewSize(2 * gibi), Hidden: true, Usage: "refuse zstd input that needs a window of more than `SIZE` bytes"},
	}
}

func writingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`, which appears complete and on exit 0 only; .zst and .gz are compressed", DefaultText: "standard output"},
		&cli.BoolFlag{Name: "zstd", Usage: "compress the output whatever its name"},
		&cli.IntFlag{Name: "zstd-level", Hidden: true, Usage: "`LEVEL` 1 to 22 as the zstd tool counts, met by the nearest of four", Value: 1},
	}
}

func watchingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.GenericFlag{Name: "progress", Value: NewChoice("auto", "always", "never"), Usage: "`WHEN` to show progress on standard error: auto, always or never"},
	}
}

func commonFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing but warnings and errors"},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "say more, with byte offsets"},
		&cli.GenericFlag{Name: "log-format", Value: NewChoice("text", "json"), Hidden: true, Usage: "messages as `FORMAT`: text, or json, one object per line"},
		&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show this"},
		&cli.BoolFlag{Name: "help-all", Usage: "show the less common flags, too"},
		&cli.BoolFlag{Name: "version", Usage: "show version, commit and Go version"},
	}
}

// isQuestion reports whether a flag asks for text instead of work.
func isQuestion(name string) bool {
	return name == "help" || name == "help-all" || name == "version"
}
