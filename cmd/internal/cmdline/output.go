package cmdline

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// writeError is a failed write to an output. It is told once.
type writeError struct {
	name string
	err  error
}

func (e *writeError) Error() string {
	return "write " + Clean(e.name, messageBytes) + ": " + e.err.Error()
}
func (e *writeError) Unwrap() error { return e.err }

// newWriteError drops the operation and path that the error may carry already.
func newWriteError(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &writeError{name, err}
}

// Output is where whole lines go: standard output or a file. After a failed
// write every call returns that error. It is owned by one goroutine.
type Output struct {
	*jsonl.Writer
	name    string
	file    *jsonl.File // nil for standard output
	evenBad bool        // appears on exit 1, too
	stamp   bool        // nothing is left of it when it does not appear
	member  bool        // one of many, see CreateMember
	lines   int64
	err     error
}

// Write takes whole lines.
func (o *Output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(p)
	if o.file != nil { // to say what is in FILE.partial
		o.lines += int64(bytes.Count(p, []byte{'\n'}))
	}
	return n, o.keep(err)
}

// Flush hands on what was written: for a reader that waits.
func (o *Output) Flush() error {
	if o.err != nil {
		return o.err
	}
	return o.keep(o.Writer.Flush())
}

// Idle says that no more lines come for now, see [jsonl.Block].
func (o *Output) Idle() error {
	if o.err != nil {
		return o.err
	}
	return o.keep(o.Writer.Idle())
}

func (o *Output) keep(err error) error {
	if err != nil {
		o.err = newWriteError(o.name, err)
	}
	return o.err
}

// close hands on what is pending and ends the container. An error that Write
// returned is returned again, in case the command passed over it.
func (o *Output) close() error {
	err := o.Writer.Close()
	if o.err != nil {
		return o.err
	}
	return o.keep(err)
}

// Withdraw makes nothing of a file: it does not appear on exit code 1, and
// nothing of it is left.
func (o *Output) Withdraw() { o.evenBad, o.stamp = false, true }

// rename gives a prepared file its name.
func (o *Output) rename() error { return o.keep(o.file.Rename()) }

// abandon ends a file without giving it its name and returns the one it has.
func (o *Output) abandon() (partial string, err error) {
	partial, err = o.file.Abandon()
	if o.err != nil {
		return partial, nil // told already
	}
	return partial, o.keep(err)
}
