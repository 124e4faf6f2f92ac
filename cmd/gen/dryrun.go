package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
)

// errFirst ends the reading after the first request.
var errFirst = errors.New("the first request was shown")

// dryRun shows the first request as a curl line. Nothing but the model's name is
// asked of the server.
func (l *loop) dryRun(ctx context.Context) error {
	if err := l.greet(ctx); err != nil {
		return err
	}
	feed := newFeed(l.cfg, l.s.Options(), l.ledger.hasher)
	err := feed.each(ctx, l.s.Inputs(), func(it item) error {
		switch {
		case it.err != nil:
			return it.err
		case it.bad != nil:
			l.bad(it.bad)
			return nil
		}
		_, err := fmt.Fprintln(l.s.Out, l.curl(l.servers.at(0), it.wanted[0]))
		return errors.Join(err, errFirst)
	})
	if errors.Is(err, errFirst) {
		return nil
	}
	return err
}

// curl is a request as a shell line. Keys stay in the environment.
func (l *loop) curl(server *endpoint.Endpoint, w *wanted) string {
	words := []string{"curl -sS " + toCurl(server, w.request.URL), "-H 'Content-Type: application/json'"}
	if name := l.s.String("api-key-env"); name != "" {
		words = append(words, `-H "Authorization: Bearer $`+name+`"`)
	}
	for _, header := range l.s.StringSlice("header") {
		name, variable, _ := strings.Cut(header, "=env:")
		words = append(words, `-H "`+name+`: $`+variable+`"`)
	}
	return strings.Join(append(words, "--data-binary "+quoteShell(string(w.request.Body))), " ")
}

// quoteShell quotes for sh.
func quoteShell(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
