package main

import (
	"context"
	"errors"
	"syscall"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
)

// page is what --monitor serves. A nil page shows nothing.
type page struct {
	server *monitor.Server
	end    context.CancelFunc
	ended  chan struct{}
}

// openPage serves the page from now on. That it cannot is known before anything is
// asked; when it breaks later, the run goes on without.
func openPage(s *cmdline.Session, addr string) (*page, error) {
	if addr == "" {
		return nil, nil
	}
	server, err := monitor.Listen(addr)
	if err != nil {
		return nil, pageError(err)
	}
	ctx, end := context.WithCancel(context.Background())
	p := &page{server: server, end: end, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		if err := server.Serve(ctx); err != nil {
			s.Warn("--monitor: %v; the run goes on without", err)
		}
	}()
	s.Note("watch it at %s", server.URL())
	return p, nil
}

func pageError(err error) error {
	wrong := cmdline.Usagef("--monitor: %w", err)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return cmdline.WithHint(wrong, "another run may show itself there; --monitor :0 takes a port that is free")
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return cmdline.WithHint(wrong, "--monitor :PORT is for this machine alone, 0.0.0.0:PORT for all that can reach it")
	}
	return wrong
}

func (p *page) publish(f *monitor.Figures) {
	if p != nil {
		p.server.Publish(f)
	}
}

// close sends the last figures to whoever looks and ends.
func (p *page) close() {
	if p != nil {
		p.end()
		<-p.ended
	}
}
