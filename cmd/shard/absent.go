package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

// absent are the subcommands that the names are kept for: what is written now
// must not mean something else later.
func absent() []*cmdline.Command {
	return []*cmdline.Command{
		{
			Name:      "merge",
			Usage:     "join shards (not in this version)",
			Arguments: "FILE …",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "manifest", Usage: "the original order is in `FILE`"},
				&cli.StringFlag{Name: "dedupe", Usage: "drop lines whose `id` was there before"},
			},
			Shared: cmdline.Writes,
			Run:    notYet("cat FILE… joins shards, compressed ones, too, one after the other"),
		},
		{
			Name:      "verify",
			Usage:     "compare shards with their manifest (not in this version)",
			Arguments: "MANIFEST",
			Run:       notYet("shard --dedupe id -o /dev/null FILE… counts lines and doubles"),
		},
	}
}

func notYet(instead string) func(context.Context, *cmdline.Session) error {
	return func(context.Context, *cmdline.Session) error {
		return cmdline.WithHint(cmdline.Usagef("not in this version"), instead)
	}
}
