// Package prompt turns a line of prompts, in any of the shapes people keep them
// in, into the body of a request.
//
// [Reader.Read] recognises the shape of one line and finds its id, what is
// asked and what else travels with it; [Builder.Body] makes the request of it:
// flags give way to the lane's settings, those to a Batch line's body, those to
// the prompt's own params. What is only carried (messages, tools, meta) keeps
// its bytes.
package prompt
