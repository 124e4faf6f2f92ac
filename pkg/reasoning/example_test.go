package reasoning_test

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

func Example() {
	text := "<think>\n2 and 2\n</think>\n\n4"
	f, _ := reasoning.Lookup("qwen3")
	rules := reasoning.Faithful()
	var s reasoning.Split
	rules.Split(f, reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
	for _, g := range s.Segments {
		fmt.Printf("%d %q\n", g.Kind, text[g.Start:g.End])
	}
	fmt.Println(s.Status)
	// Output:
	// 2 "<think>"
	// 0 "\n2 and 2\n"
	// 2 "</think>"
	// 1 "\n\n4"
	// present
}
