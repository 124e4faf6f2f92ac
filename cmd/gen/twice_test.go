package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestAnsweredTwice: a proxy that sends every answer twice mixes none up, neither
// before a server that is there at first nor before one that joins.
func TestAnsweredTwice(t *testing.T) {
	var first, later atomic.Int64
	urls := []string{twice(t, &first), twice(t, &later)}
	file, archive := filepath.Join(t.TempDir(), "servers"), filepath.Join(t.TempDir(), "raw.jsonl")
	write(t, file, urls[0])
	p := start(t, "--servers-file", file, "-c", "4", "-o", archive)
	io.WriteString(p.in, prompts(20))
	await(t, "answers", func() bool { return first.Load() > 10 })
	write(t, file, strings.Join(urls, "\n"))
	p.Process.Signal(syscall.SIGHUP)
	p.logs(urls[1] + " joins")
	const sent = 50 // few enough that every connection may rest
	for i := 20; i < sent; i++ {
		fmt.Fprintf(p.in, `{"id":"p%d","prompt":"What is %[1]d plus %[1]d?"}`+"\n", i)
	}
	p.in.Close()
	if status := p.status(); status != 0 {
		t.Fatalf("%v\n%s", status, p.log.String())
	}
	text, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	lines := parseLines(t, string(text))
	for _, l := range lines {
		if asked := "What is " + strings.TrimPrefix(l.ID, "p") + " plus "; !strings.Contains(l.received(), `"content":"`+asked) {
			t.Errorf("%s has the answer %s", l.ID, l.received())
		}
	}
	if len(lines) != sent || later.Load() == 0 {
		t.Errorf("%d answers to %d prompts, %d of the server that joined", len(lines), sent, later.Load())
	}
}

// twice is a server that answers what it was asked, and says everything twice.
func twice(t *testing.T, answers *atomic.Int64) (url string) {
	return listenRaw(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		for {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			answer := plainAnswer(jsonType, `{"data":[{"id":"m"}]}`)
			if req.Method == "POST" {
				var asked struct{ Messages []struct{ Content string } }
				json.NewDecoder(req.Body).Decode(&asked)
				answer = plainAnswer(jsonType, `{"choices":[{"index":0,"message":{"role":"assistant","content":"`+asked.Messages[0].Content+`"},"finish_reason":"stop"}]}`)
				answers.Add(1)
			}
			io.WriteString(c, answer)
			c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
			r.Peek(1) // the next request
			c.SetReadDeadline(time.Time{})
			io.WriteString(c, answer)
		}
	})
}
