// Command shard splits, chooses and joins lines of prompts.
//
//	shard -n 8 -o 'shards/{shard}.jsonl.zst' --manifest shards.json prompts.jsonl
//	shard --select 3/8 prompts.jsonl | gen --server http://host:8000 -o raw.3.jsonl.zst
//	shard --exclude 'raw.*.jsonl.zst' prompts.jsonl
//	shard merge --manifest shards.json
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
// at all; all N of them exist, the empty ones, too, unless no line was good. More
// than --max-files of them, and two that are one file, are refused with exit code 2:
// nothing is left of what was written until then.
//
// Without -n, a name that holds {NAME} makes a file for each value.
//
// With --select I/N, I from 0, one shard's lines go to standard output or to one
// file. Without either, all lines do.
//
// # Stages
//
// Lines pass these stages, whatever the order of the flags:
//
//	--long-when     gives a lane to lines that name none
//	--assign-ids    gives an id to lines that have none
//	--dedupe        drops what was there before: an id, or a prompt by its value
//	--exclude       drops what an archive answers
//	--keep          keeps a share, by id
//	--shuffle       puts what is left in another order
//	--by            decides the shard; round-robin counts the lines that are left by
//	                then, and after --shuffle so do range and bytes
//	--select        passes the lines of one shard
//	--limit         ends after so many lines
//
// --assign-ids gives lines without id "h-" and 16 digits of sha256 of the line,
// and "-2", "-3" … to repeats, right after the opening brace. When another line
// has that id already, the second of the two is a bad line. --long-when puts
// "lane":"long", or "short", in the same place; the id is that of the line without.
//
// --exclude reads archives as gen's resume and extract do: an id is answered when
// one of its lines has a success, of whatever sample and turn. Prompts that are
// answered in part are left out, too; gen on the same archive asks what they lack.
// A string and a number are different ids. It compares 127 bits of the ids' sha256:
// that two of a billion prompts and a billion answers are taken for one has a
// probability of 10⁻²⁰. A cut end of an archive is a warning: what it lacks is asked
// again. Any other damage ends the run before anything is written. A line without id
// is a bad one, since the name that gen gives it counts the identical lines before it.
//
// --shuffle sorts the lines by the first 8 bytes of sha256 of the seed and the
// line's place in the input, 8 bytes big-endian each; a place is the number of
// lines before it that are not blank. The order depends on nothing else.
//
// --from json reads an array, or JSON values one after the other, over as many
// lines as they like. What stands on one line is copied byte for byte; of a value
// that goes over several, the line ends and the indent are left out. Line numbers
// in messages count the values.
//
// # Manifest
//
// --manifest FILE says what each file holds: lines, bytes and sha256 of them,
// uncompressed, and a hash of their ids that does not depend on the order: the sum
// modulo 2¹²⁸ of the first 16 bytes of each id's sha256, whose last bit is flipped
// for a number. FILE.order.zst has a line for each line, in order, with the number
// of its file; FILE has its sha256, uncompressed. Both appear after the files, and
// when all is well only. Names are relative to FILE's folder.
//
// shard verify FILE reads the shards again and names those that differ: a
// compressed file that was cut between two frames is whole for every reader.
// shard merge --manifest FILE writes the lines in the order in which they were
// dealt out; a shard that is missing, there twice, or not as the manifest says is
// an error. Without a manifest it joins the files one after the other.
package main

import (
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

func main() {
	os.Exit(cmdline.Main(command(), cmdline.Streams{Args: os.Args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
