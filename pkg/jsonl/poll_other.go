//go:build !unix

package jsonl

import (
	"os"
	"time"
)

func poller(*os.File) func(time.Duration) bool { return nil }
