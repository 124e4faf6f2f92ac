//go:build unix && !linux

package jsonl

import "golang.org/x/sys/unix"

const lockOpenFile = unix.F_SETLK
