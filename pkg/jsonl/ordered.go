package jsonl

import "sync"

// ordered works on items in several goroutines and hands them on in the order
// in which they came. Its slots go round (get, put, next, release), which
// bounds memory and reuses what an item has allocated. Workers start when
// there is work for one more. One goroutine gets and puts, one takes.
type ordered[T any] struct {
	newWorker func() func(*T)
	workers   int // may still be started
	free      chan *slot[T]
	work      chan *slot[T]
	order     chan *slot[T]
	stop      chan struct{}
	stopOnce  sync.Once
	wg        sync.WaitGroup
}

type slot[T any] struct {
	item T
	done chan struct{}
}

// newOrdered has n slots in circulation.
func newOrdered[T any](workers, n int, newWorker func() func(*T)) *ordered[T] {
	o := &ordered[T]{
		newWorker: newWorker,
		workers:   workers,
		free:      make(chan *slot[T], n),
		work:      make(chan *slot[T], n),
		order:     make(chan *slot[T], n),
		stop:      make(chan struct{}),
	}
	for range n {
		o.free <- &slot[T]{done: make(chan struct{}, 1)}
	}
	return o
}

// get is a slot to fill, nil after halt.
func (o *ordered[T]) get() *slot[T] {
	select {
	case s := <-o.free:
		return s
	case <-o.stop:
		return nil
	}
}

// put sends a slot to the workers and, in order, to the taker.
func (o *ordered[T]) put(s *slot[T]) {
	o.work <- s
	o.order <- s
	if o.workers > 0 && len(o.work) > 0 {
		o.workers--
		o.wg.Add(1)
		go o.run()
	}
}

// pass sends a slot on that needs no work.
func (o *ordered[T]) pass(s *slot[T]) {
	s.done <- struct{}{}
	o.order <- s
}

func (o *ordered[T]) run() {
	defer o.wg.Done()
	f := o.newWorker()
	for {
		select {
		case s, ok := <-o.work:
			if !ok {
				return
			}
			f(&s.item)
			s.done <- struct{}{}
		case <-o.stop:
			return
		}
	}
}

// end says that nothing more will be put.
func (o *ordered[T]) end() {
	close(o.work)
	close(o.order)
}

// next waits for the next slot; nil after the last one or after halt.
func (o *ordered[T]) next() *slot[T] {
	select {
	case s := <-o.order:
		if s == nil {
			return nil
		}
		select {
		case <-s.done:
			return s
		case <-o.stop:
		}
	case <-o.stop:
	}
	return nil
}

// ready reports whether next would return at once.
func (o *ordered[T]) ready() bool { return len(o.order) > 0 }

func (o *ordered[T]) release(s *slot[T]) { o.free <- s }

// halt wakes everybody; wait then returns when the workers are gone.
func (o *ordered[T]) halt() { o.stopOnce.Do(func() { close(o.stop) }) }

func (o *ordered[T]) wait() { o.wg.Wait() }
