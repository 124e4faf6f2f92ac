package cmdline

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// grammar knows the flags of one command well enough to put a command line in
// order before urfave/cli sees it.
type grammar struct {
	command *Command
	flags   map[string]*knownFlag // by every name, without dashes
}

// knownFlag is a flag and how it may be written.
type knownFlag struct {
	cli.Flag
	name     string // the long one where there is one
	value    valueRule
	repeated bool // may be given more than once
	seen     *string
}

// commandLine is a command line in order.
type commandLine struct {
	flags []string // "--name=value"
	files []string
	ask   string // "help", "help-all", "version" or ""
}

// args is the command line as urfave/cli is to see it.
func (l commandLine) args(name string) []string {
	return slices.Concat([]string{name}, l.flags, []string{"--"}, l.files)
}

// has reports whether the flag was given with this value.
func (l commandLine) has(name, value string) bool {
	return slices.Contains(l.flags, "--"+name+"="+value)
}

// shortNames are the only flags of one letter, in every command.
const shortNames = "ocjnqvh"

// newGrammar panics when a flag breaks a rule that users rely on: such a
// command would not pass its first test.
func newGrammar(c *Command) *grammar {
	g := &grammar{command: c, flags: map[string]*knownFlag{}}
	for _, f := range c.allFlags() {
		g.add(f)
	}
	return g
}

func (g *grammar) add(f cli.Flag) {
	if r, ok := f.(cli.RequiredFlag); ok && r.IsRequired() {
		panic("cmdline: flag " + f.Names()[0] + " is Required, which prints help to standard output: check it in Run")
	}
	if d, ok := f.(cli.DocGenerationFlag); !ok || d.GetUsage() == "" {
		panic("cmdline: flag " + f.Names()[0] + " has no usage text")
	}
	k := &knownFlag{Flag: f, name: longest(f.Names()), value: ruleOf(f), repeated: repeats(f)}
	for _, name := range f.Names() {
		if len(name) == 1 && !strings.Contains(shortNames, name) {
			panic("cmdline: flag -" + name + " is not one of the short ones, " + shortNames)
		}
		if g.flags[name] != nil {
			panic("cmdline: flag " + name + " is there twice")
		}
		g.flags[name] = k
	}
}

func longest(names []string) string {
	return slices.MaxFunc(names, func(a, b string) int { return len(a) - len(b) })
}

// repeats reports whether every mention of a flag adds to it.
func repeats(f cli.Flag) bool {
	if g, ok := f.(*cli.GenericFlag); ok {
		_, ok := g.Value.(interface{ Repeatable() })
		return ok
	}
	s, ok := f.(cli.DocGenerationSliceFlag)
	return ok && s.IsSliceFlag()
}

// parse puts a command line in order: flags may stand before or after files,
// "--" ends them, "-" is a file. What was understood is returned beside an error.
func (g *grammar) parse(args []string) (line commandLine, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return g.files(line, args)
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			line.files = append(line.files, arg)
			continue
		case strings.HasPrefix(arg, "--"):
			args, err = g.long(&line, arg, args)
		default:
			args, err = g.short(&line, arg, args)
		}
		if err != nil || line.ask != "" {
			return line, err
		}
	}
	return g.files(line, nil)
}

// files adds what follows "--" and refuses what the command has no use for.
func (g *grammar) files(line commandLine, rest []string) (commandLine, error) {
	for _, f := range line.files {
		for _, sub := range g.command.Subcommands {
			if f == sub.Name {
				return line, WithHint(Usagef("subcommand %q must come first", f),
					"a file of that name is written ./"+f)
			}
		}
	}
	line.files = append(line.files, rest...)
	if g.command.Arguments == "" && len(line.files) > 0 {
		return line, Usagef("unexpected argument %s", Quote(line.files[0]))
	}
	return line, nil
}

// long takes "--name", "--name=value" or "--name value".
func (g *grammar) long(line *commandLine, arg string, rest []string) ([]string, error) {
	name, value, given := strings.Cut(arg[2:], "=")
	k := g.flags[name]
	if k == nil || len(name) == 1 {
		return nil, g.unknown("--" + name)
	}
	return g.take(line, k, "--"+name, value, given, rest)
}

// short takes "-n 4", "-n4" (digits only, so that a long name with one dash is
// not taken for a value), "-n=4" and letters without values together, "-qv".
func (g *grammar) short(line *commandLine, arg string, rest []string) ([]string, error) {
	name, value, given := arg[1:2], arg[2:], len(arg) > 2
	k := g.flags[name]
	switch long, _, _ := strings.Cut(arg[1:], "="); {
	case len(long) > 1 && g.flags[long] != nil:
		return nil, WithHint(Usagef("unknown flag %s", Quote("-"+long)), "did you mean --"+long+"?")
	case k == nil:
		return nil, g.unknown("-" + long)
	case !given:
	case value[0] == '=':
		value = value[1:]
	case k.value.takes && isDigits(value):
	case !k.value.takes:
		rest, given, value = append([]string{"-" + value}, rest...), false, ""
	default:
		return nil, g.unknown("-" + long)
	}
	return g.take(line, k, "-"+name, value, given, rest)
}

// take adds one flag, with the next argument as its value where it needs one.
func (g *grammar) take(line *commandLine, k *knownFlag, written, value string, given bool, rest []string) ([]string, error) {
	switch {
	case isQuestion(k.name):
		line.ask = k.name
		return rest, nil
	case given:
	case !k.value.takes:
		value = "true"
	case len(rest) == 0:
		return nil, Usagef("%s needs a value", written)
	case g.looksLikeFlag(rest[0]):
		return nil, WithHint(Usagef("%s needs a value, not the flag %s", written, Quote(rest[0])),
			"a value that begins with a dash is written "+written+"="+Clean(rest[0], shownBytes))
	default:
		value, rest = rest[0], rest[1:]
	}
	return rest, g.set(line, k, written, value)
}

func (g *grammar) set(line *commandLine, k *knownFlag, written, value string) error {
	value, err := k.value.check(value)
	if err != nil {
		return Usagef("%s: %w", written, err)
	}
	if k.seen != nil && !k.repeated && (k.value.takes || *k.seen != value) {
		return Usagef("%s is given twice: %s and %s", written, Quote(*k.seen), Quote(value))
	}
	k.seen = &value
	line.flags = append(line.flags, "--"+k.name+"="+value)
	return nil
}

// looksLikeFlag reports whether an argument is a flag of this command.
func (g *grammar) looksLikeFlag(arg string) bool {
	if !strings.HasPrefix(arg, "-") {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return arg == "--" || g.flags[name] != nil
}

func (g *grammar) unknown(written string) error {
	err := Usagef("unknown flag %s", Quote(written))
	if near := g.nearest(strings.TrimLeft(written, "-")); len(near) > 0 {
		return WithHint(err, "did you mean --"+strings.Join(near, " or --")+"?")
	}
	return WithHint(err, g.command.Name+" --help-all shows every flag")
}
