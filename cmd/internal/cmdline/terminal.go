package cmdline

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal reports whether a stream of the process is a terminal. /dev/null is
// a character device, too, so the mode of the file does not tell.
func isTerminal(stream any) bool { return windowSize(stream) != nil }

// windowSize is that of a terminal, nil of another stream.
func windowSize(stream any) *unix.Winsize {
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return nil
	}
	return size
}

// width is that of the terminal, in columns, now: windows are resized. 80 where
// the terminal does not know.
func (l *Log) width() int {
	if size := windowSize(l.w); size != nil && size.Col > 0 {
		return int(size.Col)
	}
	return 80
}

// OutWidth is the width of standard output in columns where it is a terminal, 0
// where it is not: what is made for programs is not wrapped.
func (s *Session) OutWidth() int {
	size := windowSize(s.Out)
	switch {
	case size == nil:
		return 0
	case size.Col == 0:
		return 80
	}
	return int(size.Col)
}

// Wrap breaks text at spaces into lines of at most width bytes; longer words
// have lines of their own.
func Wrap(text string, width int) []string { return wrap(text, width) }
