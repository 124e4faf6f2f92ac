// Package endpoint asks one OpenAI-compatible server over HTTP and says exactly
// what came back.
//
//	e, err := endpoint.New(endpoint.Config{URL: "http://127.0.0.1:8000"})
//	reply := e.Do(ctx, endpoint.Request{Path: "/v1/chat/completions", Body: body})
//	if reply.Error != nil {
//		verdict := endpoint.Classify(reply.Status(), reply.RetryAfter, reply.Error.Code)
//		…
//	}
//
// A request is sent once: retrying is the caller's affair, who counts and
// archives each attempt. The one exception is the keep-alive race, see
// [Endpoint.Do]. Every byte of the answer is kept, also of one that was cut, and
// nothing is interpreted but the status.
//
// Keys, passwords and the query of the URL never appear in a name, an error or any
// part of a [Reply] but the body, which is kept as it came.
//
// A request of which no whole answer came is given up at the server, too, so that
// it keeps no slot there: by its name where the server knows names (SGLang, see
// [Request] and [Endpoint.Info]), else by closing the connection. Do returns when
// that is done, so that whoever asks again does not compete with himself.
//
// A connection rests behind an answer: what a proxy sends on it that nobody asked
// for, such as an answer for the second time, must not become the answer to the next
// request. It is net/http that notices; what comes more than a second later, nobody can.
//
// Time in which this process was stopped counts for no clock, see [Pulse].
//
// An Endpoint is safe for concurrent use.
package endpoint
