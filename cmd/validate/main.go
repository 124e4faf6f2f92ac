// Command validate is the gate before a training set: it passes good samples through,
// in order and unchanged, and says what is wrong with the others.
//
//	validate [flags] [FILE …]
//
//	extract raw.jsonl.zst | validate --expect prompts.jsonl -o train.jsonl.zst
//	validate --check --fail truncated=1% --warn repetition samples.jsonl
//
// # What it reads and writes
//
// Files or standard input, lines of any kind that extract reads, and the files
// that are no lines which --from names. A sample, a
// flat record {"id","reasoning","content"} and a conversation go out byte for
// byte as they came; of an archived exchange its samples go out, split as
// extract does it (--family, --open and --close, --unclosed). What a flat record
// says is taken as it stands: thinking left in its content is a finding, unless
// --family names how to split it. A conversation whose answer holds the
// thinking goes out as a sample. With --check nothing goes out.
//
// # What is wrong with a record
//
// --list-rules shows the table of rules. A rule of level fail keeps a record
// from going out; the gate passes when no such rule has more findings than its
// limit, 0 by default. --fail RULE=LIMIT sets level and limit, a count (3) or a
// share of the records (0.01, 1%); --warn RULE only tells, --allow RULE does not
// look. A record without finish reason is a warning, unless unfinished is named
// in a flag; so is a marker that is only likely quoted, with leaked-marker. --require says whether thinking is required (the default),
// forbidden (no-reasoning) or optional; where the request switched it off, or
// --no-think-ok FIELD=VALUE holds, it may be absent. Such records are counted.
//
// One cause is one finding: a record that fails as truncated, unfinished,
// content-filter, refusal or suspect-split is not told again for the text that
// it therefore lacks. With such a rule lowered, what is empty counts by itself.
//
// A line that is no JSON, or no known record, is a finding of bad-json, or of
// bad-text when all that is wrong is its UTF-8; it cannot go out at whatever
// level, and --allow makes it a warning. --max-bad sets the limit of bad-json. Of
// two answers to one id, sample and turn the second fails: duplicate-answer when
// it is the same, else duplicate-id; but of an answer that the token limit cut and a
// later one that is the whole of it (gen --continue) only the whole counts. Two samples of one prompt that are the same
// are a copied-sample.
//
// # Groups, and rules in a file
//
// --by FIELD counts for each value of a field of the record or of its meta, or
// model, finish_reason and reasoning_status of the sample; limits hold for all
// records and for each group. --rules FILE reads YAML, what flags say goes before:
//
//	require: reasoning
//	by: dataset
//	no-think-ok: [kind=fast]
//	rules:
//	  truncated: 1%            # fail, with this limit
//	  repetition: warn         # or fail, allow
//	  too-short: {level: fail, limit: 5, min-reasoning: 200, min-content: 1}
//	groups:                    # judged by limits of their own
//	  competition: {truncated: 10%}
//
// Parameters, in characters: min-reasoning and min-content of too-short,
// min-length of repetition and copied-text; markers and ignore of leaked-marker
// are lists of markers.
//
// --rules specforge looks at lines as rows, and takes those that SpecForge's
// validate_regenerated_data.py takes; --require reasoning and no-reasoning are its
// --expect-reasoning and --expect-non-reasoning, specforge-strict its
// --strict-think-markers. What only Python takes for JSON (NaN, a key twice) is
// refused.
//
// # Against the prompts
//
// --expect PROMPTS names the prompts, by the ids that gen would give them; each
// is answered once, or --samples N times, by requests or by choices of one; with
// --turns all, every turn of a conversation. A manifest of shard stands for the
// files beside it, which must be those it tells of. What
// is wrong with an answer does not make it none. --missing FILE gets the lines of
// prompts that lack one, repeats of a line without id with their own: the next round's
// input. A line of PROMPTS that is none
// fails the gate beyond --max-bad. Without --expect, an attempt that failed for
// good and that no other line makes up for is a missing-response. Attempts that gen
// retried are counted, nothing else. Of which server epoch an answer is, an archive
// tells and a sample does not: mixed-epochs is about archives.
//
// # Report
//
// On standard error, or in --report-file FILE; --report json, junit and github
// for programs, html for one page that needs nothing else. Both flags can be
// repeated, the first report goes to the first file and so on.
// Counts are exact, findings are examples, --max-findings of them. --rejects
// FILE collects what did not pass. --fail-fast stops at the first failing record
// (--fail-fast=N at the N-th); what shows only at the end is then not looked for,
// and --missing writes nothing. A report for programs is the last of standard error.
//
// Memory: 40 to 60 bytes a record, for finding what is there twice or not at all, 25
// more for each sample of a prompt but the first, about 1000 groups of --by: none
// without --expect when duplicate-id, duplicate-answer and missing-response are
// allowed. 50 bytes a prompt of --expect, 90 for one without an id.
package main

import (
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

func main() {
	os.Exit(cmdline.Main(command(), cmdline.Streams{Args: os.Args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
