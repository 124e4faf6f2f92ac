//go:build unix

package endpoint

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSuspended stops a process that waits for an answer, for longer than its
// clocks run. The answer begins after it went on.
func TestSuspended(t *testing.T) {
	const env = "THINKPIPE_TEST_SUSPENDED"
	if url := os.Getenv(env); url != "" {
		limits := Timeouts{Connect: time.Second, FirstByte: time.Second, Idle: time.Second, Total: 2 * time.Second}
		reply := ask(t, newEndpoint(t, Config{URL: url, Timeouts: limits}), false)
		fmt.Println("reply:", reply.Error, received(&reply), reply.Suspended.Round(time.Second))
		return
	}
	t.Parallel()
	arrived, answer := make(chan bool), make(chan bool)
	url := raw(t, func(c *net.TCPConn) {
		close(arrived)
		<-answer
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
	})
	child := exec.Command(os.Args[0], "-test.run=^TestSuspended$")
	child.Env = append(os.Environ(), env+"="+url)
	var out strings.Builder
	child.Stdout, child.Stderr = &out, &out
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	<-arrived
	child.Process.Signal(syscall.SIGSTOP)
	time.Sleep(beat + late + 500*time.Millisecond)
	child.Process.Signal(syscall.SIGCONT)
	time.Sleep(200 * time.Millisecond) // all clocks that ran out ring
	close(answer)
	if err := child.Wait(); err != nil || !strings.Contains(out.String(), "reply: <nil> {} 4s") {
		t.Errorf("%v: %s", err, out.String())
	}
}
