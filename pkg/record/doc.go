// Package record holds the records that travel between the commands: the
// exchange that gen archives, the sample that extract makes, and the ids that
// tie both to a prompt.
//
// Records are written by appending to a byte slice, never through a JSON
// encoder, so that what is only carried keeps its bytes. What is read refers to
// the line it was read from.
package record
