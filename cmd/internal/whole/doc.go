// Package whole reads inputs that are no lines as lines of an archive: a file that
// is one JSON value or an array of them, a raw event stream, a stream's chunks
// one per line. It is what --from means, and how "auto" tells them apart by their
// beginning.
//
// Such a file is held in memory, up to --max-line-bytes of it. A line of a
// stream is named by its file, see the contract's word on ids.
package whole
