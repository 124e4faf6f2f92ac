package jsonl

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Source is one input. Open is called when its turn comes.
type Source struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Map reads the sources one after the other, calls a worker's function on each
// block (newWorker is called once per goroutine) and sink with the blocks in
// input order, from the calling goroutine. A block and what it holds are valid
// until sink returns. After damage in one source the others are still read;
// the errors (a *DamageError, or what Open said) are joined. An error of sink
// or ctx ends Map at once. No goroutine outlives the call, as long as Close of
// a source ends a Read of it; pipes and terminals given as *os.File are watched.
//
// Blocks are of 32 to 512 KiB, or shorter when the input pauses, or longer for
// one long line; Workers+2 of them exist.
func Map(ctx context.Context, sources []Source, o Options, newWorker func() func(*Block), sink func(*Block) error) error {
	o = o.withDefaults()
	m := &mapper{o: o, q: newOrdered(o.Workers, o.Workers+2, newWorker)}
	defer haltAfter(ctx, m.q.halt)()
	var reading sync.WaitGroup
	reading.Go(func() { m.read(sources) })
	err := m.drain(ctx, sink)
	if err != nil {
		m.abort()
	}
	reading.Wait()
	m.q.halt()
	m.q.wait()
	if err != nil {
		return err
	}
	return errors.Join(m.errs...)
}

// haltAfter calls halt when ctx is done. What it returns ends that, and waits
// when halt is being called.
func haltAfter(ctx context.Context, halt func()) func() {
	halted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		halt()
		close(halted)
	})
	return func() {
		if !stop() {
			<-halted
		}
	}
}

type mapper struct {
	o    Options
	q    *ordered[Block]
	errs []error

	mu      sync.Mutex
	current io.Closer // the source that is being read
}

// drain hands the blocks to sink.
func (m *mapper) drain(ctx context.Context, sink func(*Block) error) error {
	for s := m.q.next(); s != nil; s = m.q.next() {
		if err := sink(&s.item); err != nil {
			return err
		}
		s.item.Out = kept(s.item.Out)
		m.q.release(s)
	}
	return ctx.Err()
}

// read puts the blocks of all sources into the queue.
func (m *mapper) read(sources []Source) {
	defer m.q.end()
	for _, src := range sources {
		err := m.readSource(src)
		if errors.Is(err, errStopped) {
			return
		}
		if err != nil {
			m.errs = append(m.errs, err)
		}
	}
}

func (m *mapper) readSource(src Source) error {
	rc, err := src.Open()
	if err != nil {
		return err
	}
	if !m.begin(rc) {
		return errStopped
	}
	defer m.finish()
	s := openStream(newInput(rc, m.q.stop), m.o, true)
	defer s.close()
	return m.split(newSplitter(s, src.Name, m.o))
}

// split puts the blocks of one source into the queue.
func (m *mapper) split(lines *splitter) error {
	for {
		s := m.q.get()
		if s == nil {
			return errStopped
		}
		if err := lines.next(&s.item); err != nil {
			m.q.release(s)
			if err == io.EOF {
				return nil
			}
			return err
		}
		m.q.put(s)
	}
}

// begin makes rc the source that abort closes; false after abort.
func (m *mapper) begin(rc io.Closer) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-m.q.stop:
		rc.Close()
		return false
	default:
		m.current = rc
		return true
	}
}

// finish closes the current source; what a Read did not tell, Close of an input
// cannot make worse.
func (m *mapper) finish() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current != nil {
		m.current.Close()
		m.current = nil
	}
}

// abort stops reading at once.
func (m *mapper) abort() {
	m.q.halt()
	m.finish()
}
