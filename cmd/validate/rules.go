package main

import (
	"bytes"
	"fmt"
	"text/tabwriter"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
)

// listRules writes the table of rules with the levels and limits of c.
func listRules(s *cmdline.Session, c *config) error {
	var table bytes.Buffer
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RULE\tLEVEL\tLIMIT\tMEANING\tFOR EXAMPLE")
	for r := range check.Rules() {
		level, limit := c.policy.Level(r.Name), ""
		if level == check.Fail {
			l := c.limits[r.Name]
			limit = l.String()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Name, level, limit, r.Meaning, r.Example)
	}
	t.Flush()
	out, err := s.Stdout()
	if err != nil {
		return err
	}
	_, err = out.Write(table.Bytes())
	return err
}
