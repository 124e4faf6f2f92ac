package main

import (
	"bufio"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// server is a simulated server in a process of its own.
type server struct {
	cmd     *exec.Cmd
	address string
}

// serve starts one. Port 0 takes a free one; a given port may still be held for a
// moment by the server before it.
func serve(gen, address, keys string) (server, error) {
	var err error
	for range 50 {
		var s server
		if s, err = tryServe(gen, address, keys); err == nil {
			return s, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return server{}, err
}

func tryServe(gen, address, keys string) (server, error) {
	cmd := exec.Command(gen, "simulate", "--listen", address, keys)
	words, err := cmd.StderrPipe()
	if err != nil {
		return server{}, err
	}
	if err := cmd.Start(); err != nil {
		return server{}, err
	}
	line, err := bufio.NewReader(words).ReadString('\n')
	_, at, ok := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !ok {
		cmd.Process.Kill()
		cmd.Wait()
		return server{}, fmt.Errorf("the simulated server does not start: %s", line)
	}
	return server{cmd, at}, nil
}

// stop kills it.
func (s *server) stop() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}
