package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/simulator"
)

// serverHints say what a server is called.
var serverHints = []string{"--server http://host:8000 asks a server that speaks the OpenAI protocol", "--server sim: asks a simulated one, for a rehearsal"}

// servers are the endpoints of a run.
type servers struct {
	mu     sync.RWMutex // servers join while requests are sent
	opened []*opened
	away   map[int]error // those that could not be reached when the run began
	pulse  endpoint.Pulse
}

// opened is one endpoint and what closes it.
type opened struct {
	*endpoint.Endpoint
	url  string
	stop []func()
}

func (o *opened) close() {
	for i := len(o.stop) - 1; i >= 0; i-- {
		o.stop[i]()
	}
}

// open makes endpoints of the --server flags and of --servers-file. It connects to
// nothing, but starts simulated servers.
func open(c *config) (*servers, error) {
	s := &servers{}
	for _, url := range withFleet(c.servers, c.fleet) {
		o, err := s.open(c, url)
		if err != nil {
			s.close()
			return nil, cmdline.Usagef("%s: %w", c.flagOf(url, err), err)
		}
		s.add(o)
	}
	return s, nil
}

// flagOf is the flag that an endpoint's error is about.
func (c *config) flagOf(url string, err error) string {
	switch {
	case errors.Is(err, endpoint.ErrCertificates):
		return "--ca-file"
	case !slices.Contains(c.servers, url):
		return "--servers-file"
	}
	return "--server"
}

func (s *servers) open(c *config, url string) (*opened, error) {
	o := &opened{url: url}
	cfg := endpoint.Config{URL: url, Timeouts: c.timeouts, Header: c.headers, APIKey: c.apiKey, Proxy: true, CAFile: c.caFile, Pulse: &s.pulse}
	if keys, ok := strings.CutPrefix(url, "sim:"); ok {
		if err := o.simulate(&cfg, strings.TrimPrefix(keys, "?")); err != nil {
			return nil, err
		}
	}
	e, err := endpoint.New(cfg)
	if err != nil {
		o.close()
		switch {
		case !strings.Contains(cfg.URL, ":/"):
			err = cmdline.WithHint(err, serverHints...)
		case strings.ContainsAny(cfg.URL, ", "):
			err = cmdline.WithHint(err, "repeat --server for several")
		}
		return nil, err
	}
	o.Endpoint, o.stop = e, append(o.stop, e.Close)
	return o, nil
}

// simulate starts a simulated server in this process and points cfg at it.
func (o *opened) simulate(cfg *endpoint.Config, keys string) error {
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
	o.stop = append(o.stop, func() { cancel(); serving.Wait() })
	cfg.Name, cfg.URL, cfg.Dial = cfg.URL, "http://simulator", listener.Dial
	return nil
}

// add takes one in, with the next index.
func (s *servers) add(o *opened) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = append(s.opened, o)
}

// at is the endpoint with an index.
func (s *servers) at(i int) *endpoint.Endpoint { return s.all()[i].Endpoint }

// all are the endpoints so far, in the order of their index.
func (s *servers) all() []*opened {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.opened
}

// close closes connections and ends simulated servers.
func (s *servers) close() {
	for _, o := range s.all() {
		o.close()
	}
}

// greet asks every server for its models, all at once, and returns the model to use
// where prompts and flags name none. One that refuses ends the run before anything
// is asked, and so does it when none can be reached.
func (s *servers) greet(ctx context.Context, model string) (string, error) {
	all := s.all()
	served, errs := make([]string, len(all)), make([]error, len(all))
	var asking sync.WaitGroup
	for i, o := range all {
		asking.Go(func() { served[i], errs[i] = meet(ctx, o.Endpoint, model) })
	}
	asking.Wait()
	s.away = map[int]error{}
	found, by := model, ""
	for i, o := range all {
		switch err := errs[i]; {
		case cmdline.ExitCode(err) == cmdline.CodeUnreachable:
			s.away[i] = err
			continue
		case err != nil:
			return "", err
		case by == "":
			found, by = cmp.Or(model, served[i]), o.Name()
		}
		if model == "" && served[i] != found {
			return "", cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused,
				fmt.Errorf("%s serves %s, %s serves %s", by, cmdline.Quote(found), o.Name(), cmdline.Quote(served[i]))),
				"--model NAME asks one of them by name")
		}
	}
	if by == "" {
		return "", errs[0]
	}
	return found, nil
}

// meet asks a server for its model.
func meet(ctx context.Context, e *endpoint.Endpoint, model string) (served string, err error) {
	served, err = e.Model(ctx)
	return served, refusal(e, err, model)
}
