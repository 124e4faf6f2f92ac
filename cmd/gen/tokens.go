package main

import (
	"context"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
)

// parseTokenIDs reads --token-ids; an API that has none is told at once.
func (c *config) parseTokenIDs(s *cmdline.Session) error {
	c.builder.TokenIDs = s.Bool("token-ids")
	if c.builder.TokenIDs && c.builder.API == prompt.Responses {
		return cmdline.WithHint(cmdline.Usagef("--token-ids: /v1/responses sends none"), "--api chat, completions or generate do")
	}
	return nil
}

// checkTokenIDs asks the servers whether they send token ids in the way that they
// are asked: SGLang does so in whole answers only.
func (l *loop) checkTokenIDs(ctx context.Context) error {
	b := &l.cfg.builder
	if !b.TokenIDs || !b.Stream || b.API == prompt.Generate {
		return nil
	}
	for _, o := range l.servers.all() {
		if info, _ := o.Info(ctx); info.Engine == "sglang" {
			return cmdline.WithHint(cmdline.Usagef("--token-ids: %s is SGLang, which streams none", o.Name()),
				"without --stream it sends them; so does --api generate, in both ways")
		}
	}
	return nil
}

// missTokenIDs says once that a server sends none although they were asked for.
func (l *loop) missTokenIDs(r *result) {
	if !r.tokenless || l.tokenless {
		return
	}
	l.tokenless = true
	l.s.Warn("%s sends no token ids, although --token-ids asks for them; vLLM since 0.10.2 and SGLang of 2026 do", r.exchange.Server)
}
