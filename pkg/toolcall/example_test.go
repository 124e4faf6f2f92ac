package toolcall_test

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/toolcall"
)

func Example() {
	answer := jsonscan.Quote("Let me look.\n<tool_call>\n{\"name\": \"search\", \"arguments\": {\"q\": \"oak\"}}\n</tool_call>")
	var p toolcall.Parser
	r := p.Parse(answer, jsonscan.Value{})
	for _, piece := range r.Pieces {
		fmt.Println(piece.Kind == toolcall.Call, answer.Slice(piece.Start, piece.End).Len())
	}
	for _, c := range r.Calls {
		fmt.Println(c.Name, c.Arguments)
	}
	// Output:
	// false 14
	// true 82
	// search {"q": "oak"}
}
