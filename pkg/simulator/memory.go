package simulator

import (
	"context"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// Listener is a listener in memory; Dial is its other end.
type Listener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// Listen returns a listener in memory.
func Listen() *Listener {
	return &Listener{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Accept waits for a connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close refuses further connections.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr is a name without an address.
func (l *Listener) Addr() net.Addr { return memoryAddr{} }

// Dial connects. Network and address are ignored. A closed listener refuses.
func (l *Listener) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	client, server := connect()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, &net.OpError{Op: "dial", Net: "memory", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return "simulator" }

// connect returns the two ends of a connection.
func connect() (a, b *conn) {
	there, back := newStream(), newStream()
	return &conn{in: back, out: there}, &conn{in: there, out: back}
}

// conn is one end. Unlike [net.Pipe], writes do not wait for reads, and an end
// can be reset.
type conn struct{ in, out *stream }

func (c *conn) Read(p []byte) (int, error)  { return c.in.read(p) }
func (c *conn) Write(p []byte) (int, error) { return c.out.write(p) }
func (c *conn) LocalAddr() net.Addr         { return memoryAddr{} }
func (c *conn) RemoteAddr() net.Addr        { return memoryAddr{} }

// Close ends the connection; the other end may still read what was written.
func (c *conn) Close() error {
	c.out.end(io.EOF, net.ErrClosed)
	c.in.end(net.ErrClosed, syscall.EPIPE)
	return nil
}

// Reset ends the connection at once, as a TCP reset does.
func (c *conn) Reset() {
	c.out.drop()
	c.out.end(syscall.ECONNRESET, net.ErrClosed)
	c.in.end(net.ErrClosed, syscall.ECONNRESET)
}

func (c *conn) SetDeadline(t time.Time) error {
	c.SetReadDeadline(t)
	return c.SetWriteDeadline(t)
}
func (c *conn) SetReadDeadline(t time.Time) error  { return c.in.limit(&c.in.readBy, t) }
func (c *conn) SetWriteDeadline(t time.Time) error { return c.out.limit(&c.out.writeBy, t) }

// window is how much may be written ahead.
const window = 64 << 10

// stream is one direction.
type stream struct {
	mu              sync.Mutex
	changed         sync.Cond
	buf             []byte
	readErr         error // once buf is empty
	writeErr        error
	readBy, writeBy deadline
}

type deadline struct {
	at    time.Time
	timer *time.Timer
}

func (d *deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

func newStream() *stream {
	s := &stream{}
	s.changed.L = &s.mu
	return s
}

func (s *stream) read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.readErr == net.ErrClosed:
			return 0, net.ErrClosed
		case s.readBy.passed():
			return 0, os.ErrDeadlineExceeded
		case len(s.buf) > 0:
			n := copy(p, s.buf)
			s.buf = s.buf[:copy(s.buf, s.buf[n:])]
			s.changed.Broadcast()
			return n, nil
		case s.readErr != nil:
			return 0, s.readErr
		}
		s.changed.Wait()
	}
}

func (s *stream) write(p []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.writeErr != nil:
			return n, s.writeErr
		case s.writeBy.passed():
			return n, os.ErrDeadlineExceeded
		case len(p) == 0:
			return n, nil
		}
		if room := min(window-len(s.buf), len(p)); room > 0 {
			s.buf = append(s.buf, p[:room]...)
			n, p = n+room, p[room:]
			s.changed.Broadcast()
			continue
		}
		s.changed.Wait()
	}
}

// end sets what further reads and writes return; what was set first stays.
func (s *stream) end(readErr, writeErr error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readErr == nil || readErr == net.ErrClosed {
		s.readErr = readErr
	}
	if s.writeErr == nil {
		s.writeErr = writeErr
	}
	s.changed.Broadcast()
}

// drop forgets what was not read yet.
func (s *stream) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = nil
}

func (s *stream) limit(d *deadline, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	d.at = at
	if wait := time.Until(at); !at.IsZero() && wait > 0 {
		d.timer = time.AfterFunc(wait, s.wake)
	}
	s.changed.Broadcast()
	return nil
}

// wake lets waiting reads and writes look at the time.
func (s *stream) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed.Broadcast()
}
