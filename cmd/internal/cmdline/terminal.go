package cmdline

import (
	"os"

	"golang.org/x/sys/unix"
)

// isTerminal reports whether a stream of the process is a terminal. /dev/null is
// a character device, too, so the mode of the file does not tell.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	return err == nil
}
