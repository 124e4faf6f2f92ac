package main

import (
	"fmt"
	"os"
)

// writePID keeps the process id in a file until remove is called; "" is no file.
func writePID(path string) (remove func(), err error) {
	if path == "" {
		return func() {}, nil
	}
	if err := os.WriteFile(path, fmt.Appendln(nil, os.Getpid()), 0o666); err != nil {
		return nil, err
	}
	return func() { os.Remove(path) }, nil
}
