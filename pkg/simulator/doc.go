// Package simulator is a reasoning-model server for rehearsals, demonstrations
// and tests. It answers like SGLang or vLLM and misbehaves on request.
//
// What it says is made up and marked as such: system_fingerprint is
// "thinkpipe-simulator", meta_info.simulator is true.
package simulator
