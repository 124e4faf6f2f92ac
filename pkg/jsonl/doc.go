// Package jsonl moves lines: in from files, pipes and compressed streams, out
// to files that appear complete or not at all, and onto the end of archives
// that survive a crash. It knows lines and containers, not JSON.
//
// Only 0x0A ends a line. One trailing CR, and a byte order mark at the start of
// the input or of a line, are dropped; blank lines are skipped; a last line
// without newline counts. zstd and gzip are recognised by content, never by
// name. A cut or corrupt stream delivers every whole line before the damage and
// then a [*DamageError].
//
// [Map] is the way for filters: blocks of whole lines, read ahead, worked on by
// several goroutines, handed on in input order, in bounded memory.
package jsonl
