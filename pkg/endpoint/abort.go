package endpoint

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// abortTime bounds the wait for a server that is told to give up a request: it
// answers at once or not at all, and a run that is stopped waits for it.
const abortTime = 2 * time.Second

// Abort asks an SGLang server to give up the request that was sent with that
// rid. It is content with one that it does not know. Other servers refuse.
//
// Closing the connection is not enough there: requests whose client went away have
// been seen to decode on to their last token and to keep their slot
// (https://github.com/sgl-project/sglang/issues/36876).
func (e *Endpoint) Abort(ctx context.Context, rid string) error {
	ctx, cancel := limited(ctx, abortTime)
	defer cancel()
	body := append(jsonscan.AppendString([]byte(`{"rid":`), rid), '}')
	a := e.attempt(ctx, e.fresh, &Request{Path: "/abort_request", Body: body}, time.Now())
	return e.Err(&a.reply)
}

// abandoned reports whether the server may still be at work on a request of which
// nothing more is wanted: it was sent, and no whole answer came.
func (a *attempt) abandoned() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reply.Error == nil || a.connected.IsZero() {
		return false
	}
	switch a.reply.Status() { // of a gateway that gave up
	case http.StatusRequestTimeout, http.StatusBadGateway, http.StatusGatewayTimeout:
		return true
	}
	code := a.reply.Error.Code
	return strings.HasPrefix(code, "timeout.") || slices.Contains(unsure, code)
}

// unsure are the failures after which an answer may still be in the making: of
// a connection that broke before it ("connect"), too, if a gateway broke it.
var unsure = []string{"aborted", "connect", "body.cut", "stream.cut"}

// withName is the body, an object, with a member "rid" before its others; nil when
// it has one already, or is no object, or an empty one.
func withName(body []byte, rid string) []byte {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{"))
	if rest = bytes.TrimLeft(rest, " \t\r\n"); !ok || len(rest) == 0 || rest[0] != '"' || hasName(body) {
		return nil
	}
	named := make([]byte, 0, len(body)+len(rid)+16)
	named = jsonscan.AppendString(append(named, `{"rid":`...), rid)
	return append(append(named, ','), rest...)
}

// hasName reports whether the body names itself.
func hasName(body []byte) bool {
	if !bytes.Contains(body, []byte(`"rid"`)) { // in no other spelling, we hope
		return false
	}
	var doc jsonscan.Doc
	return doc.Scan(body) != nil || doc.Root().Get("rid").Exists()
}
