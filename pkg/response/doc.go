// Package response reads what servers answered, in every shape it was kept in,
// into one neutral [Record] with a [Choice] per answer.
//
// The shape is decided by what the bytes look like, never by what a server is
// called: the founding accident was a reader of one fixed field.
package response
