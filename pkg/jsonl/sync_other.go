//go:build !linux

package jsonl

import "os"

type dataFile struct{ *os.File }
