package main

import (
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
)

// lane is a pool of slots and the fields its requests have.
type lane struct {
	name   string
	slots  int
	fields []prompt.Field
}

// parseLanes makes one lane of -c, or a short and a long one.
func (c *config) parseLanes(s *cmdline.Session) error {
	two := s.IsSet("short-concurrency") || s.IsSet("long-concurrency")
	if !two {
		for _, flag := range []string{"short-max-tokens", "long-max-tokens", "long-when"} {
			if s.IsSet(flag) {
				return cmdline.Usagef("--%s needs --short-concurrency and --long-concurrency", flag)
			}
		}
		c.lanes = []lane{{name: "all", slots: s.Int("concurrency")}}
		return atLeastOne(s, "concurrency")
	}
	if s.IsSet("concurrency") {
		return cmdline.Usagef("--concurrency is for one lane, --short-concurrency and --long-concurrency are for two")
	}
	for _, name := range []string{"short", "long"} {
		if !s.IsSet(name + "-concurrency") {
			return cmdline.Usagef("two lanes need --%s-concurrency, too", name)
		}
		if err := atLeastOne(s, name+"-concurrency"); err != nil {
			return err
		}
		l := lane{name: name, slots: s.Int(name + "-concurrency")}
		if s.IsSet(name + "-max-tokens") {
			l.fields = []prompt.Field{number("max_tokens", s.Int(name+"-max-tokens"))}
		}
		c.lanes = append(c.lanes, l)
	}
	if !s.IsSet("long-when") {
		return nil
	}
	when, err := prompt.ParseCondition(s.String("long-when"))
	if err != nil {
		return cmdline.Usagef("--long-when: %w", err)
	}
	c.longWhen = &when
	return nil
}

// atLeastOne refuses counts that would leave nothing to do.
func atLeastOne(s *cmdline.Session, flags ...string) error {
	for _, flag := range flags {
		if s.IsSet(flag) && s.Int(flag) < 1 {
			return cmdline.Usagef("--%s: %d is below 1", flag, s.Int(flag))
		}
	}
	return nil
}

// maxTokensFlag is the flag that limits the answers of a lane.
func (c *config) maxTokensFlag(lane int) string {
	if len(c.lanes) == 1 {
		return "--max-tokens"
	}
	return "--" + c.lanes[lane].name + "-max-tokens"
}

// laneOf is the index of a prompt's lane: the one it names, else what --long-when
// says, else the first.
func (c *config) laneOf(p *prompt.Prompt, line jsonscan.Value) (int, error) {
	if len(c.lanes) == 1 {
		return 0, nil
	}
	if p.Lane != "" {
		i := slices.IndexFunc(c.lanes, func(l lane) bool { return l.name == p.Lane })
		if i < 0 {
			return 0, fmt.Errorf("the lane %.40q is neither short nor long", p.Lane)
		}
		return i, nil
	}
	if c.longWhen != nil && c.longWhen.Match(p, line) {
		return 1, nil
	}
	return 0, nil
}
