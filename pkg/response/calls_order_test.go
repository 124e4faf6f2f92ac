package response

import (
	"strings"
	"testing"
)

// Tool calls of a stream stand in the order of their indexes, whatever the order
// in which their deltas came.
func TestStreamCallsByIndex(t *testing.T) {
	delta := func(calls string) string {
		return `data: {"choices":[{"index":0,"delta":{"tool_calls":[` + calls + `]},"finish_reason":null}]}` + "\n\n"
	}
	stream := delta(`{"index":1,"id":"b","function":{"name":"g","arguments":"{}"}}`) +
		delta(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`) +
		delta(`{"index":0,"function":{"arguments":"}"}}`) +
		`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	var p Parser
	r, err := p.Body([]byte(stream), 200, "text/event-stream")
	if err != nil || r.Failure != nil {
		t.Fatal(err, r.Failure)
	}
	var got []string
	for _, c := range r.Choices[0].ToolCalls {
		got = append(got, c.ID.String()+" "+c.Name.String()+" "+c.Arguments.String())
	}
	if want := "a f {}, b g {}"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}
