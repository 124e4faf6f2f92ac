package simulator

import "strings"

// takePrefix makes a request that wants its last message gone on with
// (continue_final_message) the request that this message answers, and keeps what
// was answered so far.
func (r *request) takePrefix() {
	n := len(r.Messages) - 1
	if !r.Continue || n < 1 || r.Messages[n].Role != "assistant" {
		return
	}
	r.prefix, r.Messages = contentText(r.Messages[n].Content), r.Messages[:n]
}

// skip takes what was answered before off an answer. Of an answer that does not
// begin so, nothing is taken: it goes on in its own way.
func (s *Server) skip(a *answer, prefix string) {
	if !s.config.OpenModel { // the prompt holds the marker, the message repeats it
		prefix = strings.TrimPrefix(prefix, openMarker)
	}
	n := 0
	for n < len(a.tokens) && strings.HasPrefix(prefix, a.tokens[n].text) {
		prefix = prefix[len(a.tokens[n].text):]
		n++
	}
	if prefix == "" {
		a.tokens = a.tokens[n:]
	}
}
