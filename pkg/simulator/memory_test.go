package simulator

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

func TestConnCarriesBytes(t *testing.T) {
	a, b := connect()
	data := make([]byte, 1<<20) // far more than the window
	for i := range data {
		data[i] = byte(rand.IntN(256))
	}
	go func() {
		for rest := data; len(rest) > 0; {
			n, err := a.Write(rest[:min(len(rest), 1+rand.IntN(100000))])
			if err != nil {
				t.Error(err)
			}
			rest = rest[n:]
		}
		a.Close()
	}()
	got, err := io.ReadAll(b)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d of %d bytes, %v", len(got), len(data), err)
	}
	if _, err := b.Write([]byte("x")); err != syscall.EPIPE {
		t.Errorf("write to a closed end: %v", err)
	}
	if _, err := a.Read(make([]byte, 1)); err != net.ErrClosed {
		t.Errorf("read of a closed end: %v", err)
	}
}

func TestConnReset(t *testing.T) {
	a, b := connect()
	b.Write([]byte("lost"))
	b.Reset()
	b.Close()
	if n, err := a.Read(make([]byte, 9)); n != 0 || err != syscall.ECONNRESET {
		t.Errorf("read %d %v", n, err)
	}
	if _, err := a.Write([]byte("x")); err != syscall.ECONNRESET {
		t.Errorf("write %v", err)
	}
}

func TestConnDeadlines(t *testing.T) {
	a, _ := connect()
	f := func(name string, do func() error) {
		t.Helper()
		err := do()
		var timeout net.Error
		if !errors.Is(err, os.ErrDeadlineExceeded) || !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("%s: %v", name, err)
		}
	}
	read := func() error { _, err := a.Read(make([]byte, 1)); return err }
	a.SetReadDeadline(time.Now().Add(-time.Second))
	f("past", read)
	a.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	f("future", read)
	a.SetReadDeadline(time.Time{})
	go a.SetReadDeadline(time.Unix(1, 0))
	f("set while waiting", read)
	a.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
	f("full", func() error { _, err := a.Write(make([]byte, window+1)); return err })
}

func TestListenerRefusesWhenClosed(t *testing.T) {
	l := Listen()
	l.Close()
	l.Close()
	if _, err := l.Dial(t.Context(), "tcp", "x"); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("dial: %v", err)
	}
	if _, err := l.Accept(); err != net.ErrClosed {
		t.Errorf("accept: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Listen().Dial(ctx, "tcp", "x"); err != context.Canceled {
		t.Errorf("dial without a server: %v", err)
	}
}
