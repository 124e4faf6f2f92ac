// Package jsonl moves lines: in from files, pipes and compressed streams, out
// to files that appear complete or not at all, and onto the end of archives
// that survive a crash. It knows lines and containers, not JSON.
//
// Only 0x0A ends a line. One trailing CR, and a byte order mark at the start of
// the input or of a line, are dropped; lines of white space are skipped; a last
// line without newline counts. zstd (RFC 8878; many frames, skippable and empty
// ones) and gzip (RFC 1952; many members) are recognised by content, never by
// name. A cut or corrupt stream delivers every whole line before the damage and
// then a [*DamageError]. Of a frame that was read whole and has a wrong checksum
// no line is delivered, since nobody knows which is wrong. A cut exactly between
// two frames cannot be noticed.
//
// [Map] is the way for filters: blocks of whole lines, read ahead, worked on by
// several goroutines, handed on in input order, in bounded memory. [Reader]
// reads line by line in the calling goroutine. [Writer] writes any container,
// [Create] a file that appears when it is complete, [OpenAppend] an archive.
//
// Data of a line belongs to the package: it is valid until the sink returns, or
// until the next Read. A Reader, Writer or File is owned by one goroutine; an
// Appender may be used by several.
package jsonl
