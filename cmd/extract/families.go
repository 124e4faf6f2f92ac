package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// listFamilies shows the table of families.
func listFamilies(out io.Writer) error {
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FAMILY\tOPEN\tCLOSE\tWRITTEN BY\tTHINKS\tALIASES")
	for f := range reasoning.Families() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", f.Name, oneLine(f.Open), oneLine(f.Close), writer(f), thinks(f), strings.Join(f.Aliases, ", "))
	}
	w.Flush()
	for line := range bytes.Lines(table.Bytes()) { // spaces at the end wrap on a terminal
		if _, err := out.Write(append(bytes.TrimRight(line, " \n"), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// oneLine shows the newlines of a marker.
func oneLine(marker string) string { return strings.ReplaceAll(marker, "\n", `\n`) }

// writer says who writes the opening marker.
func writer(f *reasoning.Family) string {
	switch {
	case f.Opener == reasoning.ByTemplate:
		return "prompt"
	case f.TemplateOpens != nil:
		return "model or prompt"
	}
	return "model"
}

// thinks says when a family thinks.
func thinks(f *reasoning.Family) string {
	switch {
	case f.OffByDefault:
		return "off; " + f.Switches[0]
	case f.Switches != nil:
		return "on; " + strings.Join(f.Switches, ", ")
	}
	return "always"
}

// advice says what to try when no thinking was found.
func (c *config) advice() string {
	switch {
	case c.Family == "none":
		return "--family none takes only what the server split; --family auto looks into the content"
	case c.Close != "" || c.Family != "auto":
		return "--family auto goes by the model and the text; " + lookAgain
	}
	return "name the family (--list-families) or its markers (--open, --close); " + lookAgain
}

const lookAgain = "if the content holds none, the server dropped it: see its reasoning parser and skip_special_tokens, and try gen probe"
