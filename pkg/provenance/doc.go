// Package provenance keeps what made an archive beside it, in FILE.run.json:
// which servers answered, as they told themselves, and the runs that asked.
//
//	{"epochs":[{"epoch":1,"servers":["http://host:8000"],"since":"2026-11-30T11:41:00Z",
//	    "engine":"sglang","version":"0.5.5","model":"moonshotai/Kimi-K2-Thinking",
//	    "reasoning_parser":"kimi_k2","tool_call_parser":"","chat_template_sha256":"",
//	    "arguments":{"context_length":262144,"quantization":"fp8","tp_size":8}}],
//	 "runs":[{"run":"run_…","started_at":"…","finished_at":"…","version":"…","commit":"…","go":"…",
//	    "command":["gen","--server","http://host:8000","-o","raw.jsonl.zst"],
//	    "sampling":{"max_tokens":16384,"temperature":1},
//	    "probes":[{"server":"http://host:8000","epoch":1,"thinking":"reasoning_content",…}],
//	    "exit":0,"account":{"in":100,"done":100,…}}]}
//
// The server_epoch of an exchange is the number of an epoch: of the state of a
// server in which its answers are alike. The same state has the same number in
// every run that wrote to an archive, whichever server is in it; another version,
// model, parser, template or launch argument is another epoch. Numbers begin at 1
// and mean nothing in other archives.
//
// The reasoning_parser says what stands in content: a server that tells its
// parser, and has none ("known_parsers": true, "reasoning_parser": ""), leaves
// the thinking in content as the model wrote it. Of a server that does not tell
// ("known_parsers": false) only the probes of the runs know.
//
// A file is read and written as a whole; nothing here is safe for concurrent use.
package provenance
