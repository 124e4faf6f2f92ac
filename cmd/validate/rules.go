package main

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
)

// listRules writes the table of rules with the levels and limits of c: a line
// for each, or, for somebody at a terminal, as many as its width takes.
func listRules(s *cmdline.Session, c *config) error {
	var table bytes.Buffer
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RULE\tLEVEL\tLIMIT\tMEANING\tFOR EXAMPLE")
	width := s.OutWidth()
	for r := range check.Rules() {
		level, limit := c.policy.Level(r.Name), ""
		if level == check.Fail {
			l := c.limits[r.Name]
			limit = l.String()
		}
		if width > 0 {
			table.WriteString(ruleForPeople(r, level, limit, width))
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Name, level, limit, r.Meaning, r.Example)
	}
	if width == 0 {
		t.Flush()
	}
	out, err := s.Stdout()
	if err != nil {
		return err
	}
	_, err = out.Write(table.Bytes())
	return err
}

// ruleForPeople is a rule, its meaning and its example below one another.
func ruleForPeople(r *check.Rule, level check.Level, limit string, width int) string {
	const indent = "    "
	var b strings.Builder
	fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("%-22s%-6s%s", r.Name, level, limit), " "))
	for _, text := range []string{r.Meaning, "such as " + r.Example} {
		for _, line := range cmdline.Wrap(text, max(20, width-len(indent)-1)) {
			fmt.Fprintln(&b, indent+line)
		}
	}
	return b.String()
}
