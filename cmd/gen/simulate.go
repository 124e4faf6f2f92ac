package main

import (
	"context"
	"net"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
	"github.com/thinkpipe/thinkpipe/pkg/simulator"
)

// simulateCommand serves a simulated reasoning model over HTTP.
func simulateCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:        "simulate",
		Usage:       "serve a simulated reasoning model, for rehearsals",
		Arguments:   "['KEY=VALUE&…']",
		Description: simulateManual,
		Examples:    "gen simulate --listen 127.0.0.1:8000 'parser=on&latency=200ms&fail=429:0.05,500:0.01'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8000", Usage: "listen at `ADDR`, :8000 or HOST:8000; without HOST for this machine alone; port 0 takes a free one"},
		},
		Run: simulate,
	}
}

const simulateManual = `Answers are made up; they depend on the seed and the request, faults on the seed, the request and
its n-th arrival. Keys and their defaults: engine=sglang (or vllm), family=kimi_k2, parser=none (or
on), opener=prompt (or model), latency=20ms per answer, tpot=0 per token, tokens=200 per answer,
context=131072, slots=0 (no limit), fail= (429:0.05,500:0.01), cut=0, stall=0, reset=0, calls=0.5
(share that calls a tool, where there are any), parallel=1 (up to so many calls at once), empty=0
(share without thinking), bad-after=0 (no thinking after N answers), new-after=0 (another version
after N answers), zombie=0 (share that keeps its slot after its client left), idle-close=5s, seed=1.
What stalls sends no byte at all: only --timeout first-byte= or total= of gen ends it.`

func simulate(ctx context.Context, s *cmdline.Session) error {
	args := s.Files()
	if len(args) > 1 {
		return cmdline.Usagef("one argument 'KEY=VALUE&…' is expected, not %d", len(args))
	}
	config := simulator.Default()
	if len(args) == 1 {
		var err error
		if config, err = simulator.Parse(args[0]); err != nil {
			return cmdline.Usagef("%w", err)
		}
	}
	server, err := simulator.New(config)
	if err != nil {
		return cmdline.Usagef("%w", err)
	}
	host, port, err := monitor.ParseAddr(s.String("listen"))
	if err != nil {
		return cmdline.Usagef("--listen: %w", err)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	s.Note("listening on http://%s", listener.Addr())
	return server.Serve(ctx, listener)
}
