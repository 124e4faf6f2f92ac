package response

import (
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// show is a record in short, a line for what is known of it and one for each
// choice: `p-1 chat` and `0 stop reasoning<Add.> content<7> call c1 f {"a":1}`.
// Kinds other than the usual one of a field are marked.
func show(r *Record, err error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", r.ID, r.Shape)
	if r.Failure != nil {
		fmt.Fprintf(&b, " FAILED %s: %s", r.Failure.Code, r.Failure.Message)
	}
	if err != nil {
		fmt.Fprintf(&b, " ERROR %v", err)
	}
	if r.Complaint != "" {
		b.WriteString(" COMPLAINT " + r.Complaint)
	}
	for _, f := range r.Flags {
		b.WriteString(" +" + f)
	}
	for _, c := range r.Choices {
		fmt.Fprintf(&b, "\n%d %s", c.Index, finishOf(c))
		for _, s := range c.Segments {
			fmt.Fprintf(&b, " %s%s<%s>", [...]string{"R:", "C:", "P:", "S:", "E:"}[s.Kind], s.Source, s.Text)
		}
		for _, t := range c.ToolCalls {
			fmt.Fprintf(&b, " call %s %s %s", t.ID, t.Name, t.Arguments)
		}
		if c.Refusal.Len() > 0 {
			fmt.Fprintf(&b, " refusal<%s>", c.Refusal)
		}
	}
	return strings.TrimSpace(b.String())
}

func finishOf(c Choice) string {
	switch {
	case c.HasFinish:
		return c.Finish.String()
	case c.Open:
		return "null"
	}
	return "-"
}

// parse is a line as show shows it.
func parse(line string) string {
	var p Parser
	var d jsonscan.Doc
	if err := d.Scan([]byte(line)); err != nil {
		return err.Error()
	}
	return show(p.Parse(d.Root()))
}

// body is a body as show shows it.
func body(raw string) string {
	var p Parser
	return show(p.Body([]byte(raw), 200, ""))
}
