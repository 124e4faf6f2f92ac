package extractor_test

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

func Example() {
	x, err := extractor.New(extractor.Config{Family: "qwen3"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var d jsonscan.Doc
	if err := d.Scan([]byte(`{"id":"a","response":{"choices":[{"message":{"content":"<think>2 and 2</think>4"},"finish_reason":"stop"}]}}`)); err != nil {
		fmt.Println(err)
		return
	}
	r, err := x.Line(d.Root())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Samples {
		fmt.Println(s.ID, s.Status, s.Reasoning, "|", s.Content)
	}
	// Output: a present 2 and 2 | 4
}
