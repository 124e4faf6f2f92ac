package cmdline

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

// exitCodes is the table that scripts rely on.
const exitCodes = `Exit codes:
  0              all well
  1              ran to the end; records are bad or failed beyond what flags
                 tolerate, or the gate fails: look at the report
  2              wrong usage or a run that does not fit the archive it resumes;
                 nothing was done: fix the command
  3              could not run to the end: unreadable or cut input, write error,
                 disk full: fix, run again
  69             a server cannot be reached: run again later
  75             stopped before the end: drained, deadline, breaker, archive
                 locked by another run: run again to resume
  76             a server refuses (key, model name) or does not give what is
                 required (probe, canary): fix server or flags
  130, 143, 141  SIGINT, SIGTERM, the reader closed the pipe
`

// helpWidth is where lines of help end.
const helpWidth = 100

// helpText is the manual of a command: all flags or those people need.
func helpText(c *Command, all bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s", c.Name, c.Usage, usageLines(c))
	if c.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.Description))
	}
	if c.Examples != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", indent(c.Examples))
	}
	b.WriteString(flagSection(c.Flags, "Flags", all))
	b.WriteString(flagSection(c.sharedFlags(), "Flags of all commands", all))
	if !all {
		fmt.Fprintf(&b, "\nThe less common flags: %s --help-all\n", c.Name)
	}
	return b.String() + "\n" + exitCodes
}

func usageLines(c *Command) string {
	var b strings.Builder
	b.WriteString("Usage: " + strings.TrimSpace(c.Name+" [flags] "+c.Arguments) + "\n")
	for _, sub := range c.Subcommands {
		name := strings.TrimSpace(c.Name + " " + sub.Name + " [flags] " + sub.Arguments)
		fmt.Fprintf(&b, "       %-40s %s\n", name, sub.Usage)
	}
	return b.String()
}

func indent(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight("  "+strings.TrimSpace(l), " ")
	}
	return strings.Join(lines, "\n")
}

// flagSection lists flags under a title, those with a category under theirs.
func flagSection(flags []cli.Flag, title string, all bool) string {
	var order []string
	sections := map[string]string{}
	for _, f := range flags {
		if v, ok := f.(cli.VisibleFlag); ok && !v.IsVisible() && !all {
			continue
		}
		name := title
		if c, ok := f.(cli.CategorizableFlag); ok && c.GetCategory() != "" {
			name = c.GetCategory()
		}
		if sections[name] == "" {
			order = append(order, name)
		}
		sections[name] += flagLine(f)
	}
	text := ""
	for _, name := range order {
		text += "\n" + name + ":\n" + sections[name]
	}
	return text
}

const flagColumn = 32

// flagLine is "  -o, --output FILE     what it does (default …)".
func flagLine(f cli.Flag) string {
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	placeholder, usage := placeholderOf(d)
	left := "  " + writtenNames(f.Names()) + placeholder
	if text := defaultOf(d); text != "" {
		usage += " (default " + text + ")"
	}
	lines := wrap(usage, helpWidth-flagColumn)
	if len(left) > flagColumn-1 {
		lines = append([]string{""}, lines...)
	}
	text := fmt.Sprintf("%-*s", flagColumn, left) + lines[0]
	for _, line := range lines[1:] {
		text = strings.TrimRight(text, " ") + "\n" + strings.Repeat(" ", flagColumn) + line
	}
	return text + "\n"
}

// writtenNames is "-o, --output", or "    --zstd", so that long names stand in a column.
func writtenNames(names []string) string {
	short := "    "
	for _, n := range names {
		if len(n) == 1 {
			short = "-" + n + ", "
		}
	}
	return short + "--" + longest(names)
}

// placeholderOf takes the word in back quotes out of the usage.
func placeholderOf(d cli.DocGenerationFlag) (placeholder, usage string) {
	usage = d.GetUsage()
	_, after, found := strings.Cut(usage, "`")
	word, _, closed := strings.Cut(after, "`")
	rule := ruleOf(d)
	switch {
	case found && closed && rule.takes:
		placeholder = " " + word
	case found && closed:
		placeholder = "[=" + word + "]"
	case rule.takes:
		placeholder = " VALUE"
	}
	return placeholder, strings.ReplaceAll(usage, "`", "")
}

// defaultOf is what a flag is when it is not given, "" when that says nothing.
func defaultOf(d cli.DocGenerationFlag) string {
	text := d.GetDefaultText()
	switch {
	case !ruleOf(d).takes, text == `""`, text == "[]", text == "0", text == "0s":
		return ""
	}
	return strings.Trim(text, `"`)
}

// wrap breaks text at spaces into lines of at most width bytes.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
