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
// Failed attempts are asked again with exponential back-off and full jitter; 429
// and 503 slow the run down without using up attempts; 401, 403, 404 and 405 stop
// it and mark nothing. The closing line accounts for every prompt:
//
//	in = done + failed + dead + bad + pending
//
// SIGTERM and SIGINT drain: nothing new is sent and answers in flight are waited
// for, up to --grace. A second signal ends the run at once. In every case only
// whole lines are on disk.
//
// gen probe asks one question and says where the thinking is. gen simulate serves
// a simulated reasoning model; --server 'sim:' runs one in-process.
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
