package main

import (
	"sync/atomic"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// excerpts says which answers are quoted on the page: one every so often, so that
// quoting costs nothing however fast they come.
type excerpts struct {
	every time.Duration // 0: none
	next  atomic.Int64  // nanoseconds since 1970
}

// due reports whether this answer is one.
func (e *excerpts) due(now time.Time) bool {
	next := e.next.Load()
	return e.every > 0 && now.UnixNano() >= next && e.next.CompareAndSwap(next, now.Add(e.every).UnixNano())
}

const (
	everyExcerpt  = 500 * time.Millisecond
	excerptLength = 300 // characters
)

// excerpt is the beginning of a text.
func excerpt(t jsonscan.Text) string {
	at := 0
	for n := 0; n < excerptLength && at < t.Len(); n++ {
		_, at = t.Next(at)
	}
	s := t.Slice(0, at).String()
	if at < t.Len() {
		s += "…"
	}
	return s
}
