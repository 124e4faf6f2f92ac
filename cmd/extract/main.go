// Command extract splits the thinking off archived answers, again and again, without a
// server: one sample per answer, thinking and answer apart.
//
//	extract [flags] [FILE …]
//
//	extract raw.jsonl.zst | validate --expect prompts.jsonl -o train.jsonl.zst
//	extract --family kimi_k2 --unclosed content raw.*.jsonl.zst >samples.jsonl
//	extract --prove --format hf raw.jsonl.zst -o train.jsonl
//	extract --repair old/raw_responses.jsonl -o fixed.jsonl
//
// # What it reads
//
// Files or standard input: archives of gen, batch output lines of OpenAI and
// whoever writes the same, bare response bodies, {"id","response":<body>},
// {"id","response_text"}, logs of clients {"id","input","output":<body or message>},
// flat records {"id","reasoning","content"} and conversations that end with an answer; with --text-field PATH, lines of any
// other shape that hold the raw text somewhere. --from json is a file that is one
// value or one array, its elements counted as lines, or a document with the
// results of a batch, as Mistral, xAI and Gemini give them; of an array that is cut
// the whole elements come out before exit 3. sse is a raw event stream, and chunks
// the chunks of a stream, one per line, whose sample gets the file's base name
// without its last extension for an id. --from auto takes a file for what it
// begins like. Lines that are samples already pass
// through unchanged, unless --again.
//
// # Where the thinking is
//
// What the server split is taken as it is, from whichever field holds it. Where
// it delivered no thinking, the content is split as the model's family marks it:
// by the name of the model, the parser that the server was started with (in the
// FILE.run.json that gen leaves beside an archive) and the markers in the text, or
// --family NAME (see --list-families), or --open and --close; --family none never
// splits. Nothing is trimmed (--trim does) and nothing is lost: what is neither
// thinking nor answer is a marker. Markers in quotes, code spans, fences and JSON
// are text, and so are those that prose names. extract.flags tells what had to be decided, and
// reasoning_status whether the thinking is present, absent by design, missing,
// suspect (not closed, although the answer ended by itself), truncated (by the
// token limit), a summary or encrypted. None of these is an error here: that is
// validate's business. --only-ok lets only present and absent out; what is left
// out is counted in the summary, and collected by --rejects.
//
// What decided stands in extract.flags: auto:model, auto:manifest (the server's
// parser), auto:markers or auto:no-sign for the family; on: and off: with request
// (chat_template_kwargs or the API's own switch), effort, soft ("/no_think"), prompt,
// model or default (of the family) for the switch of thinking; opened: with prompt,
// template or rules for a thought that no marker opens; split:manifest and
// raw:manifest for what the server does; hidden:request when the thinking was not
// to be sent, filled:request when the content may be the thought;
// continued for an answer that was cut and gone on with: the parts are joined;
// tokens-without-thought when thinking was counted but is not there.
//
// --as sglang and --as vllm split as those servers would; --compare RULES splits
// by a second set of rules, too, and counts in how many records, and in which
// way, the two differ. -v tells where, --rejects collects both answers.
//
// # Calls
//
// Calls that stand in the answer as markup, because the server had no parser for
// them, become tool_calls with the ids and arguments that the model wrote.
// So do answers that are nothing but calls in the form of Llama 3, xLAM or GLM-4, when
// the request's tools hold the function; when it tells no tools the flag
// unmarked-call marks the guess. Markup that is malformed, or stands beside calls
// that the server read, is in neither text: extract.flags has malformed-call or
// unparsed-call, the closing line counts them, -v tells where, --rejects has the
// lines and --segments the markup. What stands in a thought is a draft, unless the thought ends with it and
// nothing follows. Quoted and fenced markup is text; so is everything with --family
// none. The text of a refusal is content, and the flag refusal tells of it.
//
// # What it writes
//
// One sample per answer; --format messages writes a conversation that ends with
// the answer, and hf a sample whose rows all have one schema: ids are strings,
// messages, tool_calls, segments and meta JSON in a string, the flags a string
// with commas. --segments adds the parts of each answer in order, of kind
// reasoning, content, refusal, tool_call, marker, plan (of calls, beside the
// thinking), summary or encrypted; they add up to what the server sent, byte for
// byte.
//
// The other forms are rows for trainers, with string ids: specforge and speculators
// conversations with reasoning_content, trl a prompt and a completion, sharegpt
// turns from human and gpt with the thinking between the family's markers, harmony
// the messages of openai-harmony with their channels. text is the answer as the
// model wrote it; when the server split it, the thinking stands between the
// family's markers. A sample that a form cannot hold, or its reader would drop in
// part (pictures, roles out of order, calls that are no JSON), is bad and told with
// the cause. The tools that a request offers are in no sample, and in no row.
// Which samples are good is --only-ok's and validate's business.
//
// Where token ids were archived (gen --token-ids), a sample has prompt_token_ids,
// token_ids, and answer_token_index: the place of the first token behind the thinking,
// -1 where that is not known because the closing marker's token is not one of the
// family's, or stands there twice.
//
// --prove writes the same and holds it against the archive: that every sha256 of a
// request or response is that of its bytes, that the segments add up to the texts,
// that a second reading, by code of its own, finds these texts where they are said
// to come from and no others, and the tool calls that the server read, and that a
// second run, from the last line of each block to the first, gives the same bytes.
// One line tells what was held and the sha256 of the uncompressed output. A line
// that does not hold is bad.
//
// # What is an error
//
// A line that is no JSON or no known record, or has a duplicate key where it
// matters, is bad. An attempt that failed is bad, too, unless another line of
// the same id, sample and turn succeeds; attempts that gen retried are counted
// and passed over. Bad ones are reported at their place, failed ones at the end.
//
// # Repair
//
// --repair writes the lines it reads, of any JSON, with two values changed: the
// thinking that stands in the content moves into the reasoning field, which is
// put beside the content when it is not there. Everything else stays byte for
// byte, and so do lines without anything to mend. --content-key and
// --reasoning-key name the two by path ("response.text", "choices.0.text"). A body
// that was kept as text is repaired in there. The deltas of a stream, and answers
// in parts, are no two values: such a line stays as it is, and when there is
// something to mend in it, it is bad. response.sha256 stays that of what the server
// sent: by it --prove tells a repaired exchange from the archive.
//
// Memory: constant, but for 8 bytes per answer, and about 700 bytes per failed line
// until the end.
package main

import (
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

func main() {
	os.Exit(cmdline.Main(command(), cmdline.Streams{Args: os.Args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
