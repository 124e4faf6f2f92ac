package main

import (
	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

func command() *cmdline.Command {
	return &cmdline.Command{
		Name:        "shard",
		Usage:       "split, choose and join lines of prompts",
		Arguments:   "[FILE …]",
		Description: manual,
		Examples:    examples,
		Flags:       flags(),
		Shared:      cmdline.Reads | cmdline.Writes | cmdline.Watched,
		Run:         run,
		Subcommands: []*cmdline.Command{mergeCommand(), verifyCommand()},
	}
}

const manual = `Lines are JSON objects, copied byte for byte. With -n N they go to N files, with --select I/N those
of one shard pass, with neither all do. A line without id goes by the one that gen will give it.
-o takes placeholders: {shard}, five digits from 00000; {shards}; and {NAME}, the value of any
field. All N files exist at the end, the empty ones, too, unless no line was good.

Whatever the order of the flags, lines pass --assign-ids, --dedupe, --exclude, --keep, --shuffle,
--by, --select and --limit one after the other. Of the places in the input, round-robin counts the
lines that are left by then; so do range and bytes after --shuffle.

One success in an archive of --exclude answers an id. Of prompts that are wanted several times
(--samples, --turns) it leaves out those that are answered in part, too: gen on the same archive
asks what they lack.

Memory: --exclude and --shuffle hold up to --memory (256 MiB) each, whatever the number of lines,
and the program about 60 MiB besides; beyond that they use files in --tmp-dir, of 33 bytes for each
answer and of the lines that are shuffled.
Memory grows with the number of files, by up to 2 MB for each that is compressed, to 150 MB for a
thousand, then by 0.1 MB for each, and by less for those that are not; with --dedupe by about 50
bytes a line, with --assign-ids by about 100 bytes a line without id and 60 bytes a line whose id is
of the given form. The index of --exclude takes 32 MB more for a billion ids.`

const examples = `shard -n 8 -o 'shards/{shard}.jsonl.zst' --manifest shards.json prompts.jsonl
shard --select 3/8 prompts.jsonl | gen --server http://host:8000 -o raw.3.jsonl.zst
shard --exclude 'raw.*.jsonl.zst' prompts.jsonl > unanswered.jsonl
shard -o 'by-dataset/{dataset}.jsonl' all.jsonl.zst
shard --assign-ids --shuffle 1 --limit 100 prompts.jsonl > some.jsonl
shard merge --manifest shards.json > prompts.jsonl`

func flags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "shards", Aliases: []string{"n"}, Usage: "split into `N` files, named by {shard} in -o"},
		&cli.StringFlag{Name: "select", Usage: "pass the lines of one shard, `I/N`, I from 0"},
		&cli.StringFlag{Name: "by", Value: "hash", Usage: "what decides a line's shard, `RULE`: hash (of the id), field=NAME, round-robin, range or bytes"},
		&cli.StringFlag{Name: "manifest", Usage: "say in `FILE` what each file holds, and in FILE.order.zst which file each line went to; shard merge and shard verify read it"},
		&cli.BoolFlag{Name: "assign-ids", Usage: "give an id to lines that have none"},
		&cli.StringFlag{Name: "id-field", Usage: "the id is in field `NAME`", DefaultText: "id, custom_id, uuid, question_id or task_id"},
		&cli.StringFlag{Name: "dedupe", Usage: "drop lines whose `id|content` was there before; content is the prompt"},
		&cli.StringSliceFlag{Name: "exclude", Usage: "drop lines whose id has a success in the archive `FILE`, a quoted pattern of files or a folder of archives; repeat"},
		&cli.GenericFlag{Name: "keep", Value: new(cmdline.Limit), DefaultText: "all", Usage: "keep a share of the lines, `RATE`, such as 0.1 or 10%, chosen by id"},
		&cli.Int64Flag{Name: "shuffle", Usage: "put the lines in an order that depends on `SEED` and their places alone", DefaultText: "the order of the input"},
		&cli.Int64Flag{Name: "limit", Usage: "stop after `N` lines were written"},
		&cli.StringFlag{Name: "long-when", Usage: "set \"lane\" to long or short in lines that have none; what is long: `'chars>N'` or FIELD=VALUE"},
		&cli.StringFlag{Name: "prompt-field", Usage: "the prompt is in field `NAME`; a line without it is bad"},
		&cli.GenericFlag{Name: "from", Value: cmdline.NewChoice("jsonl", "json"), DefaultText: "jsonl", Usage: "`FORMAT` of the input: jsonl, or json: an array, or JSON values, over as many lines as they like"},
		&cli.IntFlag{Name: "max-files", Value: 10000, Hidden: true, Usage: "refuse to write more than `N` files"},
		&cli.GenericFlag{Name: "memory", Value: cmdline.NewSize(256 << 20), Hidden: true, Usage: "--exclude and --shuffle hold up to `SIZE` bytes each in memory"},
		tmpDirFlag(),
	}
}

func tmpDirFlag() cli.Flag {
	return &cli.StringFlag{Name: "tmp-dir", Hidden: true, Usage: "temporary files go to folder `DIR`; they have no names, and nothing is left of them", DefaultText: "$TMPDIR or /tmp"}
}
