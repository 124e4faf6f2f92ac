package response_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// TestCut holds which answers can be gone on with, and what there is of them.
func TestCut(t *testing.T) {
	f := func(before record.Part, message, finish, want string) {
		t.Helper()
		body := `{"choices":[{"message":` + message + `,"finish_reason":"` + finish + `"}],"usage":{"completion_tokens":4}}`
		var p response.Parser
		r, err := p.Body([]byte(body), 200, "")
		if err != nil {
			t.Fatal(err)
		}
		r.Continues = before
		got := "whole"
		if part, ok := r.Cut(); ok {
			got = fmt.Sprintf("%s|%s %d", part.Reasoning, part.Content, part.Tokens)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
	none := record.Part{}
	part := func(thought, content string) record.Part {
		return record.Part{ID: "ex_1", Reasoning: jsonscan.Quote(thought), Content: jsonscan.Quote(content), Tokens: 10}
	}
	f(none, `{"reasoning":"hm","content":null}`, "length", "hm| 4")
	f(none, `{"content":"hm"}`, "length", "|hm 4")
	f(none, `{"content":"hm"}`, "stop", "whole")
	f(none, `{"content":""}`, "length", "whole")
	f(none, `{"content":"x","tool_calls":[{"function":{"name":"f","arguments":"{"}}]}`, "length", "whole")
	f(none, `{"content":[{"type":"text","text":"x"}],"refusal":"no"}`, "length", "whole")
	f(part("a", ""), `{"reasoning":"b","content":"c"}`, "length", "ab|c 14")
	f(part("a", "b"), `{"reasoning":"c","content":"d"}`, "length", "a|bcd 14") // a server that sees the rest alone
	f(part("", "a"), `{"content":"b"}`, "length", "|ab 14")
}

// TestJoin: an exchange that goes on is the whole answer, as it is counted, too.
func TestJoin(t *testing.T) {
	f := func(usage, want string) {
		t.Helper()
		line := `{"id":"ex_2","custom_id":"a","continues":{"id":"ex_1","reasoning":"a","content":"b","completion_tokens":10},` +
			`"response":{"status_code":200,"body":{"choices":[{"message":{"content":"c"},"finish_reason":"stop"}],"usage":` + usage + `}}}`
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		var p response.Parser
		r, err := p.Parse(d.Root())
		if err != nil {
			t.Fatal(err)
		}
		r.Join()
		var texts []string
		for _, g := range r.Choices[0].Segments {
			texts = append(texts, g.Source+"="+g.Text.String())
		}
		u := r.Usage
		got := fmt.Sprint(strings.Join(texts, " "), " ", u.Prompt, "+", u.Completion, "=", u.Total, " ", r.Flags)
		if got != want || len(r.Meta) > 0 {
			t.Errorf("%s\n got %s %s\nwant %s", usage, got, r.Meta, want)
		}
	}
	const texts = "reasoning_content=a content=b content=c "
	f(`{"prompt_tokens":15,"completion_tokens":3,"total_tokens":18}`, texts+"5+13=18 [continued]")
	f(`{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8}`, texts+"5+13=18 [continued]") // not counted as prompt
	f(`null`, texts+"-1+-1=-1 [continued]")
}
