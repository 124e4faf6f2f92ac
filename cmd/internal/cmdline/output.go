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
	name     string
	file     *jsonl.File // nil for standard output
	evenBad  bool        // appears on exit 1, too
	stamp    bool        // nothing is left of it when it does not appear
	member   bool        // one of many, see CreateMember
	lines    int64
	err      error
	finished bool
}

// Write takes whole lines.
func (o *Output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(p)
	o.lines += int64(bytes.Count(p, []byte{'\n'}))
	return n, o.keep(err)
}

// Flush hands on what was written: for a reader that waits.
func (o *Output) Flush() error {
	if o.err != nil {
		return o.err
	}
	return o.keep(o.Writer.Flush())
}

func (o *Output) keep(err error) error {
	if err != nil {
		o.err = newWriteError(o.name, err)
	}
	return o.err
}

// complete ends the output; a file gets its name.
func (o *Output) complete() error {
	o.finished = true
	switch {
	case o.file == nil:
		err := o.Writer.Close()
		if o.err == nil {
			o.keep(err)
		}
	case o.err == nil:
		o.keep(o.file.Commit())
	}
	return o.err
}

// abandon ends a file without giving it its name and returns the one it has.
func (o *Output) abandon() (partial string, err error) {
	partial, err = o.file.Abandon()
	if err != nil && o.err == nil {
		o.keep(err)
		return partial, o.err
	}
	return partial, nil
}
