package scheduler

// window is how many sends the retry budget looks back on: one or two failures in
// a short run say nothing.
const window = 100

// budget tells when too many sends repeat a failed one: a server that answers less
// than every other request is not helped by asking more often.
type budget struct {
	share   float64      // of sends; negative is no limit
	again   [window]bool // of the last sends
	sends   int          // so far
	retries int          // in again
}

func (b *budget) sent(again bool) {
	slot := &b.again[b.sends%window]
	if *slot {
		b.retries--
	}
	if *slot = again; again {
		b.retries++
	}
	b.sends++
}

func (b *budget) spent() bool {
	return b.share >= 0 && b.sends >= window && float64(b.retries) > b.share*window
}
