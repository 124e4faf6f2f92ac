// Command gen asks a server and keeps every byte it sends.
//
//	gen --server http://host:8000 -o raw.jsonl.zst prompts.jsonl
//
// Prompts come in, in any of the shapes people keep them in; out goes one line
// for each attempt, the exchange: the request as it was sent and the response as
// it was received, before anything interprets it. extract makes samples of it,
// today or years later.
//
// With -o FILE exchanges are appended under a lock and synced to disk at least
// every second. The same command again asks whatever has no success yet, so that
// a run that was killed, drained or cut off by a full disk goes on where it
// stopped. A request that differs from the archived one under the same id is
// refused, because its answers would be mixed with others.
//
// Before the prompts every server is asked one question, the probe, and a line
// says where its thinking is. Every answer is then looked at as extract and validate
// would, the canary: answers that lack what --require asks for end the run with 76.
// With auto that is what the probe saw, or when none was answered the first answer,
// and thinking wherever the model's name or the server's parser says that it thinks.
// Probes stand in FILE.probe, so that nobody takes them for data, and
// FILE.run.json says what made the archive: servers, command, probes.
//
// Failed attempts are asked again with exponential back-off and full jitter; 429 and
// 503 slow the run down without using up attempts; 401, 403, 404 and 405 stop it and
// mark nothing. A server that fails three times in a row rests and is tried with the
// probe's question, so that prompts which fail whenever they are asked do not look like
// an outage, which ends the run with 75. A request of which no whole answer came is
// given up at the server first, so that it keeps no slot there. The closing line
// accounts for every answer that is wanted, a prompt's samples and turns:
//
//	in = done + failed + dead + bad + pending
//
// # Watching
//
// Once a second the figures of a run are taken: of what is in the archive, with rates
// of the last minute. The line on standard error, the page of --monitor, /metrics and
// --status show these and no others. The time left is that of the tail, too: the rest
// is played through with durations as they were measured in each lane. The lag is how
// long answers waited in gen itself before their slots were used again. The page is
// for this machine alone unless --monitor names a host, and has no password: whoever
// can reach it reads prompts' ids and the beginnings of answers.
//
// # Conversations
//
// --turns all asks each of the assistant's turns of a conversation, with the answers
// that this run made before in its history: what the recorded assistant said is left
// out. Every turn is an exchange of its own, with its turn from 0 on. Recorded results
// of tools go behind the calls that the model makes, to each call the next result of
// its tool. When the model calls something else, more or less, or the token limit cut
// its answer, the conversation ends and is reported: asking again cannot help, so that
// the turns after it are dead, like those after a dead one; those after a failed one
// are failed. A line that is no conversation counts as one bad.
//
// Contents go back as extract reads them. The thinking of a turn goes back until the
// user speaks again, because models that call tools need it, and after that with
// --history-reasoning keep: the default for Kimi K2 and K3 and MiniMax; the templates
// of the others drop it. It goes under the key that it came in, else
// reasoning_content; --history-key NAME uses another, and content puts it between the
// family's markers into the text.
//
// A run that was killed reads the archived answers of earlier turns back, once, into a
// temporary file of its own (in TMPDIR), and goes on with each conversation where it
// stopped. Memory grows by about 100 bytes a turn, of which 32 for the file.
//
// # Cut answers
//
// --continue N goes on with an answer that the token limit cut, until it has N tokens:
// one more request with what the model wrote so far, at the end of a text prompt or as
// the message that vLLM and SGLang go on with (continue_final_message). The exchange
// that was cut is archived as retried, the one that goes on has "continues" with what
// was answered before, so that extract makes the whole of it alone. What an earlier
// run left cut is gone on with, too. An answer that calls tools is not.
//
// SIGTERM, SIGINT and the SIGHUP of a terminal that closes drain: nothing new is sent
// and answers in flight are waited for, up to --grace. A second signal ends the run at
// once. In every case only whole lines are on disk. SIGUSR1 pauses the run and SIGUSR2
// goes on; with --servers-file SIGHUP reads that file again, and ends nothing.
//
// gen probe asks the probe's question and nothing else; gen status says how a run
// stands. gen simulate serves a simulated reasoning model; --server 'sim:' runs
// one in-process.
package main

import (
	"io"
	"log"
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

func main() {
	log.SetOutput(io.Discard) // net/http's, which holds what servers sent
	os.Exit(cmdline.Main(command(), cmdline.Streams{Args: os.Args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
