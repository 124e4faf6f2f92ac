package jsonl

import (
	"bufio"
	"errors"
	"io"
	"os"
	"time"
)

const inputBuffer = 32 << 10

var errStopped = errors.New("reading was stopped")

// input is the raw side of a source. It counts bytes, keeps how reading ended
// (decoders blur that), and knows whether a Read would block.
type input struct {
	*bufio.Reader
	raw rawInput
}

func newInput(r io.Reader, stop <-chan struct{}) *input {
	return newInputSize(r, stop, inputBuffer)
}

func newInputSize(r io.Reader, stop <-chan struct{}, size int) *input {
	in := &input{raw: rawInput{r: r, stop: stop}}
	in.raw.watch()
	in.Reader = bufio.NewReaderSize(&in.raw, size)
	return in
}

// offset is how many bytes were taken.
func (in *input) offset() int64 { return in.raw.n - int64(in.Buffered()) }

// ready reports whether a Read would return at once.
func (in *input) ready() bool { return in.Buffered() > 0 || in.raw.ready() }

// failed is the error that ended reading, nil for a clean end.
func (in *input) failed() error {
	if in.raw.err == io.EOF {
		return nil
	}
	return in.raw.err
}

type rawInput struct {
	r       io.Reader
	n       int64
	err     error // sticky
	stop    <-chan struct{}
	poll    func(time.Duration) bool // whether a Read would return at once, nil when unknown
	regular bool
	short   bool // the last Read returned less than asked
}

// watch prepares ready: files never block, pipes and terminals are polled.
func (r *rawInput) watch() {
	f, ok := r.r.(*os.File)
	if !ok {
		return
	}
	fi, err := f.Stat()
	if err != nil {
		return
	}
	if r.regular = fi.Mode().IsRegular(); !r.regular {
		r.poll = poller(f)
		growPipe(f)
	}
}

func (r *rawInput) ready() bool {
	switch {
	case r.err != nil || r.regular:
		return true
	case r.poll != nil:
		return r.poll(0)
	}
	return !r.short // a guess: what gave all that was asked for has more
}

// Read returns bytes or an error, never both.
func (r *rawInput) Read(p []byte) (int, error) {
	if r.err == nil {
		r.err = r.wait()
	}
	if r.err != nil {
		return 0, r.err
	}
	for range 100 {
		n, err := r.r.Read(p)
		r.n += int64(n)
		r.short = n < len(p)
		r.err = err
		if n > 0 {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
	r.err = io.ErrNoProgress
	return 0, r.err
}

// wait sleeps until a pipe has something, so that a stop is obeyed meanwhile.
func (r *rawInput) wait() error {
	for {
		select {
		case <-r.stop:
			return errStopped
		default:
		}
		if r.poll == nil || r.stop == nil || r.poll(100*time.Millisecond) {
			return nil
		}
	}
}
