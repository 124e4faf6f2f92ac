// Package shard deals the lines of prompt files out to shards: which shard a
// line belongs to, which file that is, and how a line without id gets one.
//
//	rule, err := shard.ParseRule("hash", 8)
//	shard := rule.OfKey([]byte("gsm8k-17"))              // the same whatever the order
//	t, err := shard.ParseTemplate("out/{dataset}/{shard}.jsonl.zst")
//	group, err := t.AppendGroup(nil, doc.Root(), rule.N) // out/gsm8k/, its shard still open
//	path := shard.Path(string(group), shard)             // out/gsm8k/00003.jsonl.zst
//
// All decisions are functions of values: nothing here reads or writes files.
// Rules and templates are safe for concurrent use.
package shard
