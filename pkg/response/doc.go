// Package response reads what servers answered, in every shape it was kept in,
// into one neutral [Record] with a [Choice] per answer.
//
//	var p response.Parser
//	r, err := p.Parse(doc.Root()) // a line of an archive; or p.Body(raw, status, contentType)
//	if err != nil { … }           // no archived answer, or a duplicate key decides it
//	if r.Complaint != "" { … }    // to be reported, but the record comes out
//	if r.Failure != nil { … }     // "http.429", "stream.cut", …
//	for _, c := range r.Choices { // c.Segments: thinking and answer in the order they came
//
// The shape is decided by what the bytes look like, never by what a server is
// called: a reader of one fixed field finds no thinking in the replies of the
// next version of its server, and nobody notices.
//
// Texts are never decoded: they are spans of the line, still escaped. The
// deltas of a stream are joined as they stand. All that a record holds is valid
// until the parser's next call; steady work allocates nothing.
package response
