package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/simulator"
)

// servers are the endpoints of a run.
type servers struct {
	endpoints []*endpoint.Endpoint
	pulse     endpoint.Pulse
	stop      []func()
}

// open makes endpoints of the --server flags. It connects to nothing, but starts
// simulated servers.
func open(c *config) (*servers, error) {
	s := &servers{}
	for _, url := range c.servers {
		if err := s.open(c, url); err != nil {
			s.close()
			return nil, cmdline.Usagef("--server: %w", err)
		}
	}
	return s, nil
}

func (s *servers) open(c *config, url string) error {
	cfg := endpoint.Config{URL: url, Timeouts: c.timeouts, Header: c.headers, APIKey: c.apiKey, Proxy: true, CAFile: c.caFile, Pulse: &s.pulse}
	if keys, ok := strings.CutPrefix(url, "sim:"); ok {
		if err := s.simulate(&cfg, strings.TrimPrefix(keys, "?")); err != nil {
			return err
		}
	}
	e, err := endpoint.New(cfg)
	if err != nil {
		return err
	}
	s.endpoints = append(s.endpoints, e)
	s.stop = append(s.stop, e.Close)
	return nil
}

// simulate starts a simulated server in this process and points cfg at it.
func (s *servers) simulate(cfg *endpoint.Config, keys string) error {
	sc, err := simulator.Parse(keys)
	if err != nil {
		return err
	}
	server, err := simulator.New(sc)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	listener := simulator.Listen()
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(ctx, listener) })
	s.stop = append(s.stop, func() { cancel(); serving.Wait() })
	cfg.Name, cfg.URL, cfg.Dial = cfg.URL, "http://simulator", listener.Dial
	return nil
}

// close closes connections and ends simulated servers.
func (s *servers) close() {
	for i := len(s.stop) - 1; i >= 0; i-- {
		s.stop[i]()
	}
}

// greet asks every server for its models and returns the model to use where
// prompts and flags name none. A server that cannot be reached or refuses ends
// the run before anything is asked.
func (s *servers) greet(ctx context.Context, model string) (string, error) {
	found := model
	for _, e := range s.endpoints {
		served, err := e.Model(ctx)
		if err = refusal(e, err, model); err != nil {
			return "", err
		}
		if found == "" {
			found = served
		}
		if model == "" && served != found {
			return "", cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused,
				fmt.Errorf("%s serves %s, %s serves %s", s.endpoints[0].Name(), cmdline.Quote(found), e.Name(), cmdline.Quote(served))),
				"--model NAME asks one of them by name")
		}
	}
	return found, nil
}

// know asks every server what it is: one that gives up requests by their name gets
// them named, see [endpoint.Request].
func (s *servers) know(ctx context.Context) {
	var asking sync.WaitGroup
	for _, e := range s.endpoints {
		asking.Go(func() { e.Info(ctx) })
	}
	asking.Wait()
}

// refusal judges the error of a server that was asked for its model.
func refusal(e *endpoint.Endpoint, err error, model string) error {
	var failure *endpoint.Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &failure):
		if model != "" {
			return nil
		}
		return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, fmt.Errorf("%s: %w", e.Name(), err)), "--model NAME names the model")
	case failure.Status == 0 || failure.Status == 429 || failure.Status >= 500:
		return unreachable(e, err)
	case failure.Status == 401 || failure.Status == 403:
		return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, err),
			"--api-key-env NAME sends the key that is in the environment variable NAME")
	case model != "":
		return nil
	}
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, err),
		"--model NAME goes without /v1/models")
}

func unreachable(e *endpoint.Endpoint, err error) error {
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeUnreachable, err),
		"is the server up, and the address right? curl "+e.Name()+"/v1/models tells", "run the same command again later")
}
