package jsonl

import "golang.org/x/sys/unix"

// lockOpenFile is the command of fcntl(2) whose lock belongs to the open file
// rather than to the process.
const lockOpenFile = unix.F_OFD_SETLK
