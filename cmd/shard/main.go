// Command shard splits and chooses lines of prompts.
//
//	shard -n 8 -o 'shards/{shard}.jsonl.zst' prompts.jsonl
//	shard --select 3/8 prompts.jsonl | gen --server http://host:8000 -o raw.3.jsonl.zst
//
// A line is any JSON object with an id; it is copied byte for byte. A line's shard
// is decided by its id, so that it goes to the same shard whatever the order of
// the lines and whatever else is in the file:
//
//	hash          the first 8 bytes of sha256 of the id, big-endian, mod N
//	field=NAME    the same of a field's value: what has the same value stays together
//	round-robin   good lines in turn; they need no id
//	range         contiguous runs of nearly equal numbers of lines; they need no id
//	bytes         contiguous runs of nearly equal numbers of bytes; they need no id
//
// range and bytes read the input twice, which must be regular files. The id is
// hashed as text: a string decoded, a number as it stands.
//
// With -n N the name after -o holds {shard}, which becomes 00000, 00001 and so on;
// {shards}, their number; and {NAME}, the value of any field of the line, which
// becomes part of a file's or folder's name. Folders are made. A value that is
// missing or empty, begins with a hyphen, or holds "..", a slash, a backslash or a
// control character makes its line a bad one. Every file appears complete or not
// at all; all N of them exist, the empty ones, too, unless there was no line at
// all. More than --max-files of them are refused with exit code 2: nothing is left
// of what was written until then.
//
// Without -n, a name that holds {NAME} makes a file for each value.
//
// With --select I/N, I from 0, one shard's lines go to standard output or to one
// file. Without either, all lines do. --keep and --limit choose among them,
// --dedupe drops what was there before.
//
// --assign-ids gives lines without id "h-" and 16 digits of sha256 of the line,
// and "-2", "-3" … to repeats, right after the opening brace. When another line
// has that id already, the second of the two is a bad line.
package main

import (
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

func main() {
	os.Exit(cmdline.Main(command(), cmdline.Streams{Args: os.Args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
