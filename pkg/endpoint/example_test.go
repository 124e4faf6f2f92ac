package endpoint_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(w, `{"error":{"message":"queue is full"}}`)
	}))
	defer server.Close()

	e, err := endpoint.New(endpoint.Config{URL: server.URL + "/v1", Timeouts: endpoint.DefaultTimeouts()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	reply := e.Do(context.Background(), endpoint.Request{Path: "/v1/chat/completions", Body: []byte(`{"messages":[]}`)})
	fmt.Println(reply.Error.Code, "-", reply.Error.Message)
	fmt.Printf("%s\n", reply.Response.Raw)

	verdict := endpoint.Classify(reply.Status(), reply.RetryAfter, reply.Error.Code)
	fmt.Println(verdict.SlowDown, verdict.After)
	// Output:
	// http.429 - 429 Too Many Requests: queue is full
	// {"error":{"message":"queue is full"}}
	// true 2s
}
