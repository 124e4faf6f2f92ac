package endpoint

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Error is a failed reply as an error.
type Error struct {
	Server  string // its name
	Status  int    // 0 when nothing came
	Code    string // see [Reply]
	Message string
}

func (e *Error) Error() string { return e.Server + ": " + e.Message }

// Err is the reply's failure as an *[Error], nil when there is none.
func (e *Endpoint) Err(r *Reply) error {
	if r.Error == nil {
		return nil
	}
	return &Error{Server: e.name, Status: r.Status(), Code: r.Error.Code, Message: r.Error.Message}
}

// questionTime bounds the questions about a server, which it answers at once.
const questionTime = 30 * time.Second

// get asks path and scans the answer.
func (e *Endpoint) get(ctx context.Context, path string) (jsonscan.Value, error) {
	ctx, cancel := limited(ctx, questionTime)
	defer cancel()
	reply := e.Do(ctx, Request{Method: http.MethodGet, Path: path})
	if err := e.Err(&reply); err != nil {
		return jsonscan.Value{}, err
	}
	var doc jsonscan.Doc
	if err := doc.Scan(reply.Response.Raw); err != nil {
		return jsonscan.Value{}, fmt.Errorf("%s%s: not JSON: %w", e.name, path, err)
	}
	return doc.Root(), nil
}

// Models asks /v1/models for the names of the models. Adapters, which vLLM and
// SGLang list with their parent, come last.
func (e *Endpoint) Models(ctx context.Context) ([]string, error) {
	bases, adapters, err := e.models(ctx)
	return append(bases, adapters...), err
}

func (e *Endpoint) models(ctx context.Context) (bases, adapters []string, err error) {
	root, err := e.get(ctx, "/v1/models")
	if err != nil {
		return nil, nil, err
	}
	for _, m := range root.Get("data").Elements() {
		id := m.Get("id").Text().String()
		switch {
		case id == "":
		case m.Get("parent").Kind() == jsonscan.String:
			adapters = append(adapters, id)
		default:
			bases = append(bases, id)
		}
	}
	return bases, adapters, nil
}

// Model is the name of the one model served. The error names the models when
// there are several, and is an *[Error] when the server did not answer.
func (e *Endpoint) Model(ctx context.Context) (string, error) {
	bases, _, err := e.models(ctx)
	switch {
	case err != nil:
		return "", err
	case len(bases) == 0:
		return "", fmt.Errorf("%s names no model", e.name)
	case len(bases) > 1:
		return "", fmt.Errorf("%s serves %d models, name one of them: %s", e.name, len(bases), list(bases, 5))
	}
	return bases[0], nil
}

// list quotes the first n names.
func list(names []string, n int) string {
	var quoted []string
	for _, name := range names[:min(n, len(names))] {
		quoted = append(quoted, fmt.Sprintf("%q", cut(name, 80)))
	}
	if len(names) > n {
		quoted = append(quoted, "…")
	}
	return strings.Join(quoted, ", ")
}

// CountTokens asks /tokenize, which takes the body of a request as it is (vLLM, and
// the simulator), how many tokens a prompt has and how many the context takes.
func (e *Endpoint) CountTokens(ctx context.Context, body []byte) (limit, promptTokens int, ok bool) {
	ctx, cancel := limited(ctx, questionTime)
	defer cancel()
	reply := e.Do(ctx, Request{Path: "/tokenize", Body: body})
	var doc jsonscan.Doc
	if reply.Error != nil || doc.Scan(reply.Response.Raw) != nil {
		return 0, 0, false
	}
	count, counted := doc.Root().Get("count").Int()
	most, bounded := doc.Root().Get("max_model_len").Int()
	return int(most), int(count), counted && bounded && count > 0 && most > 0
}
