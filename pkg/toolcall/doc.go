// Package toolcall reads the calls that a model wrote as markup into its answer.
//
//	var p toolcall.Parser
//	r := p.Parse(answer, tools)
//	for _, piece := range r.Pieces {
//		… answer.Slice(piece.Start, piece.End) is text, markup of calls, or markup that cannot be read: piece.Kind
//	}
//	calls = append(calls, r.Calls...)
//
// Pieces add up to the text. Markup that is malformed stands in pieces of its own,
// and a flag tells of it: it is never an answer. A marker that is quoted, stands in
// a fenced block, or is only mentioned (nothing follows it that could be a call) is
// text. Of formats without a marker the whole text must be calls, of functions
// among the request's tools; without tools a flag tells of the guess.
//
// Ids and arguments are those the model wrote: arguments given as JSON keep
// their bytes. Formats that write an argument's value as bare text are typed
// by the request's tools; without them a value that is JSON is taken for it, and
// a flag says so.
//
// A text is handled as it stands in its line, escaped. Calls refer to it or to
// memory of their own; pieces and flags are valid until the next Parse. A
// [Parser] is not safe for concurrent use.
//
// Sources of the formats: the chat templates of the models, and the tool parsers
// of vLLM, SGLang, llama.cpp and Ollama, as published up to August 2026.
package toolcall
