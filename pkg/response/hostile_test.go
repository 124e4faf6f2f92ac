package response

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Streams that nobody sends in earnest cost time in proportion to their length.
func TestHostileStreams(t *testing.T) {
	f := func(what string, few int, event func(i int) string) {
		t.Helper()
		const times = 8
		stream := func(n int) []byte {
			var b strings.Builder
			for i := range n {
				b.WriteString("data: " + event(i) + "\n\n")
			}
			return []byte(b.String() + "data: [DONE]\n\n")
		}
		short, long := stream(few), stream(few*times)
		spent := func(raw []byte) time.Duration {
			var p Parser
			start := time.Now()
			if r, err := p.Body(raw, 200, ""); err != nil || r.Failure != nil {
				t.Fatal(what, err, r.Failure)
			}
			return time.Since(start)
		}
		for range 10 { // the machine may be busy just now
			a, b := spent(short), spent(long)
			if b < 3*times*a {
				return
			}
			t.Logf("%s: %d events take %v, %d take %v", what, few, a, few*times, b)
		}
		t.Fail()
	}
	calls := func(c string) string { return delta(`{"tool_calls":[` + c + `]}`) }
	f("choices, upwards", 4000, func(i int) string { return fmt.Sprintf(`{"choices":[{"index":%d,"delta":{"content":"A"}}]}`, i) })
	f("choices, downwards", 4000, func(i int) string { return fmt.Sprintf(`{"choices":[{"index":%d,"delta":{"content":"A"}}]}`, 1e6-i) })
	f("calls by index", 1000, func(i int) string {
		return calls(fmt.Sprintf(`{"index":%d,"function":{"name":"f","arguments":"{}"}}`, i))
	})
	f("calls by index, downwards", 1000, func(i int) string { return calls(fmt.Sprintf(`{"index":%d,"id":"c"}`, 1e6-i)) })
	f("calls by id", 1000, func(i int) string {
		return calls(fmt.Sprintf(`{"id":"c%d","function":{"name":"f","arguments":"{}"}}`, i))
	})
	f("calls of one index", 1000, func(i int) string { return calls(fmt.Sprintf(`{"index":0,"id":"c%d"}`, i)) })
	f("calls of Anthropic", 1000, func(i int) string {
		if i%2 == 0 {
			return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"c%d","name":"f"}}`, i, i)
		}
		return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i-1)
	})
	f("two fields by turns", 1000, func(i int) string {
		if i%2 == 0 {
			return delta(`{"reasoning":"A longer text, the same."}`)
		}
		return delta(`{"reasoning_content":"A longer text, the same."}`)
	})
}

// Calls are found by map as they are found by looking at each.
func TestCallOf(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var few, many joiner
		few.begin(0)
		many.begin(0)
		many.calls.few = 0
		few.calls.few = 1 << 30
		for range 60 {
			index := random.IntN(6) + ofItsOwn
			var c record.ToolCall
			if random.IntN(2) == 0 {
				c.ID = jsonscan.Quote(string(rune('a' + random.IntN(4))))
			}
			if random.IntN(2) == 0 {
				c.Name = jsonscan.Quote("f")
			}
			c.Arguments = jsonscan.Quote(fmt.Sprint(random.IntN(10)))
			few.call(index, c)
			many.call(index, c)
		}
		show := func(j *joiner) (all []string) {
			for i := range j.calls.all {
				c := &j.calls.all[i]
				all = append(all, fmt.Sprint(c.index, string(c.id.text), c.name.text, c.arguments.all()))
			}
			return all
		}
		if a, b := show(&few), show(&many); !slices.Equal(a, b) {
			t.Fatalf("%q\n%q", a, b)
		}
	}
}
