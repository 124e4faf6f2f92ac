package response_test

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

func ExampleParser_Parse() {
	var doc jsonscan.Doc
	var p response.Parser
	for _, line := range []string{
		`{"id":"a","response":{"choices":[{"index":0,"message":{"content":"Nine.","reasoning":"3 times 3"},"finish_reason":"stop"}]}}`,
		`{"id":"ex_1","custom_id":"b","response":{"status_code":503,"body":{"error":{"message":"overloaded"}}},"error":null}`,
	} {
		if err := doc.Scan([]byte(line)); err != nil {
			fmt.Println(err)
			continue
		}
		r, err := p.Parse(doc.Root())
		switch {
		case err != nil:
			fmt.Println(r.ID, err)
		case r.Failure != nil:
			fmt.Println(r.ID, r.Failure.Code, r.Failure.Message)
		default:
			for _, s := range r.Choices[0].Segments {
				fmt.Println(r.ID, s.Source, s.Text)
			}
		}
	}
	// Output:
	// a reasoning 3 times 3
	// a content Nine.
	// b http.5xx overloaded
}

func ExampleParser_Body() {
	stream := "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"3 times\"}}]}\n\n" +
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\" 3\"}}]}\n\n"
	var p response.Parser
	r, err := p.Body([]byte(stream), 200, "text/event-stream")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Choices[0].Segments[0].Text)
	fmt.Println(r.Failure.Code + ": " + r.Failure.Message)
	// Output:
	// 3 times 3
	// stream.cut: the stream ends after 2 events without a finish reason
}
