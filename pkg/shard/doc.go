// Package shard deals the lines of prompt files out to shards: which shard a
// line belongs to, which file that is, how a line without id gets one, and what a
// manifest says of the files.
//
//	rule, err := shard.ParseRule("hash", 8)
//	shard := rule.OfKey([]byte("gsm8k-17"))              // the same whatever the order
//	t, err := shard.ParseTemplate("out/{dataset}/{shard}.jsonl.zst")
//	group, err := t.AppendGroup(nil, doc.Root(), rule.N) // out/gsm8k/, its shard still open
//	path := shard.Path(string(group), shard)             // out/gsm8k/00003.jsonl.zst
//
// These are functions of values, and safe for concurrent use. Two types hold any
// number of records in bounded memory and use a temporary file without a name for
// the rest: a [Sorter] sorts, a [Set] is looked up in. Each is owned by one
// goroutine, but a sealed Set may be looked up in by several.
package shard
