package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/thinkpipe/thinkpipe/pkg/check"
)

// listRules writes the table of rules with the levels and limits of c.
func listRules(w io.Writer, c *config) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RULE\tLEVEL\tLIMIT\tMEANING\tFOR EXAMPLE")
	for r := range check.Rules() {
		level, limit := c.policy.Level(r.Name), ""
		if level == check.Fail {
			l := c.limits[r.Name]
			limit = l.String()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Name, level, limit, r.Meaning, r.Example)
	}
	return t.Flush()
}
