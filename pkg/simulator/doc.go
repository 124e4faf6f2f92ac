// Package simulator is a reasoning-model server for rehearsals, demonstrations
// and tests. It answers like SGLang or vLLM and misbehaves on request.
//
//	c, err := simulator.Parse("engine=vllm&fail=429:0.05,500:0.01&cut=0.01")
//	s := simulator.New(c)
//	l := simulator.Listen() // in memory; any net.Listener will do
//	go s.Serve(ctx, l)
//
// # What it serves
//
// /v1/models, /v1/chat/completions (a body, or a stream), /v1/completions,
// /v1/responses, /generate, /tokenize, /abort_request, /metrics, /health, and /server_info and
// /get_server_info (SGLang) or /version (vLLM). Shapes, field names and wording of
// errors are the engine's: SGLang's message.reasoning_content is null without a
// parser, vLLM's field is message.reasoning, completions and /generate are never
// split, and without a max_tokens they stop after 16 and 128 tokens.
//
// # Repeatable
//
// An answer depends on the seed and the request only: the same request gets the
// same bytes, ids and times included. A max_tokens that cuts an answer gives a
// beginning of the whole one; streamed or not, the text is the same. Faults
// depend on the seed, the request and how often it came before, so that a request
// that failed may succeed when it is asked again.
//
// A request that wants its last message gone on with (continue_final_message) gets
// the rest of the answer that begins so.
//
// A rid names one sending and changes nothing but the id of the answer.
//
// A request whose client goes away loses its slot, but for a share (zombie) that
// decodes on to its last token unless /abort_request names it, as engines have been
// seen to. simulator_abandoned in /metrics is how many do so now.
//
// What it says is made up and marked as such: system_fingerprint is
// "thinkpipe-simulator", meta_info.simulator is true. A token is a word with the
// white space before it.
//
// The package has its own small table of families and does not use package
// reasoning: what rehearses a parser must not share its faults.
package simulator
