package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// rawServer answers what it must to be taken for a server, and each POST with an
// answer by hand. A connection lives until the answer says that it ends.
func rawServer(t *testing.T, answer func(c net.Conn)) string {
	t.Helper()
	return listenRaw(t, func(c net.Conn) { serveRaw(c, answer) })
}

// listenRaw serves connections by hand.
func listenRaw(t *testing.T, serve func(c net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	conns := map[net.Conn]bool{}
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for c := range conns {
			c.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns[c] = true
			mu.Unlock()
			all.Go(func() { defer c.Close(); serve(c) })
		}
	})
	return "http://" + l.Addr().String()
}

func serveRaw(c net.Conn, answer func(c net.Conn)) {
	r := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		io.Copy(io.Discard, req.Body)
		switch {
		case req.Method == "POST":
			answer(c)
			return
		case req.URL.Path == "/v1/models":
			io.WriteString(c, plainAnswer("application/json", `{"data":[{"id":"m"}]}`))
		default:
			io.WriteString(c, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
		}
	}
}

func plainAnswer(kind, body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", kind, len(body), body)
}

func chunkedAnswer(kind string, chunks ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n", kind)
	for _, c := range chunks {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(c), c)
	}
	return b.String()
}

const (
	goodBody  = `{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"42"},"finish_reason":"stop"}]}`
	delta     = `data: {"choices":[{"index":0,"delta":{"content":"42"}}]}` + "\n\n"
	finish    = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	doneEvent = "data: [DONE]\n\n"
	events    = "text/event-stream"
	jsonType  = "application/json"
)

// TestHostileServers: whatever a server sends, the run ends, the archive has every
// byte that came, and only a whole answer counts as one.
func TestHostileServers(t *testing.T) {
	send := func(text string) func(net.Conn) { return func(c net.Conn) { io.WriteString(c, text) } }
	f := func(name string, answer func(net.Conn), code, received string) {
		t.Helper()
		url := rawServer(t, answer)
		exit, out, log := gen(t, `{"id":"input","prompt":"q"}`, "--server", url, "--stream", "--attempts", "1", "--no-probe",
			"--timeout", "first-byte=20s,idle=1s", "--progress", "never")
		lines := parseLines(t, out)
		if len(lines) != 1 {
			t.Errorf("%s: %d lines\n%s", name, len(lines), log)
			return
		}
		got, has := "", lines[0].Response != nil
		if has {
			got = lines[0].received()
		}
		if got != received {
			t.Errorf("%s: %.200q was archived, %.200q was sent", name, got, received)
		}
		e := lines[0].Error
		if (e == nil) != (code == "") || e != nil && e.Code != code {
			t.Errorf("%s: error %+v, want %q", name, e, code)
		}
		if want := map[bool]int{true: 0, false: 1}[code == ""]; exit != want && code != "http.4xx" {
			t.Errorf("%s: exit %d, want %d\n%s", name, exit, want, log)
		}
	}
	fs := func(name, text, code, received string) { t.Helper(); f(name, send(text), code, received) }

	// Framing of HTTP.
	fs("length too small", strings.Replace(plainAnswer(jsonType, goodBody), fmt.Sprint(len(goodBody)), "40", 1), "body.cut", goodBody[:40])
	fs("length too large", strings.Replace(plainAnswer(jsonType, goodBody), fmt.Sprint(len(goodBody)), "900", 1), "stream.cut", goodBody)
	fs("no length, closed", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"+goodBody, "", goodBody)
	fs("no length, closed in the middle", "HTTP/1.0 200 OK\r\n\r\n"+goodBody[:60], "body.cut", goodBody[:60])
	fs("HTTP/1.0 without reason", "HTTP/1.0 200\r\n\r\n"+goodBody, "", goodBody)
	fs("garbage between chunks", chunkedAnswer(events, delta)+"garbage\r\n", "stream.cut", delta)
	fs("chunks without end", chunkedAnswer(events, delta), "stream.cut", delta)
	fs("chunks without end after the answer's", chunkedAnswer(events, delta, finish), "", delta+finish)
	errorEvent := `data: {"error":{"message":"CUDA error"}}` + "\n\n"
	fs("chunks without end after an error", chunkedAnswer(events, delta, errorEvent), "stream.error", delta+errorEvent)
	fs("chunks without end after the answer's and an error", chunkedAnswer(events, delta, finish, errorEvent), "stream.error", delta+finish+errorEvent)
	overflow := `data: {"error":{"message":"This model's maximum context length is 10 tokens. However, you requested 12 tokens (11 in the messages, 1 in the completion)."}}` + "\n\n"
	fs("chunks without end after an overflow", chunkedAnswer(events, overflow), "context-overflow", overflow)
	fs("trailers", chunkedAnswer(events, delta, finish, doneEvent)+"0\r\nX-Status: failed\r\nX-Trace: 1\r\n\r\n", "", delta+finish+doneEvent)
	fs("interim answers first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"+plainAnswer(jsonType, goodBody), "", goodBody)
	fs("interim answer only", "HTTP/1.1 102 Processing\r\n\r\n", "connect", "")
	fs("HTTP/2", "\x00\x00\x12\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x80", "connect", "")
	fs("HTTP/0.9", goodBody, "connect", "")
	fs("status beyond all", "HTTP/1.1 999 Request Denied\r\nContent-Length: 2\r\n\r\nno", "http.5xx", "no")
	fs("no content", "HTTP/1.1 204 No Content\r\n\r\n", "body.not-completion", "")
	fs("redirect", "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://elsewhere/v1\r\nContent-Length: 0\r\n\r\n", "http.4xx", "")

	// Bodies that are no answer.
	html := "<!DOCTYPE html>\n<html><title>Sign in</title></html>"
	fs("a page of a proxy", plainAnswer("text/html", html), "body.not-completion", html)
	fs("a page as an event stream", plainAnswer(events, html), "stream.cut", html)
	fs("empty", plainAnswer(jsonType, ""), "body.not-completion", "")
	fs("empty stream", chunkedAnswer(events)+"0\r\n\r\n", "body.not-completion", "")
	fs("null", plainAnswer(jsonType, "null"), "body.not-completion", "null")
	fs("two bodies", plainAnswer(jsonType, goodBody+goodBody), "body.not-completion", goodBody+goodBody)
	noChoices := `{"choices":[]}`
	fs("no choices", plainAnswer(jsonType, noChoices), "body.not-completion", noChoices)
	errorNull := strings.Replace(goodBody, `"id":"c"`, `"id":"c","error":null`, 1)
	fs("error null", plainAnswer(jsonType, errorNull), "", errorNull)
	withError := strings.Replace(goodBody, `"id":"c"`, `"id":"c","error":{"message":"out of memory"}`, 1)
	fs("an answer and an error", plainAnswer(jsonType, withError), "body.error", withError)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, goodBody)
	w.Close()
	fs("gzip that nobody asked for", strings.Replace(plainAnswer(jsonType, packed.String()), "\r\n\r\n", "\r\nContent-Encoding: gzip\r\n\r\n", 1), "", goodBody)
	fs("gzip that is none", strings.Replace(plainAnswer(jsonType, goodBody), "\r\n\r\n", "\r\nContent-Encoding: gzip\r\n\r\n", 1), "body.not-completion", goodBody)

	// Framing of events.
	stream := func(name, text, code string) {
		t.Helper()
		fs(name, chunkedAnswer(events, text)+"0\r\n\r\n", code, text)
	}
	stream("done without a finish reason", delta+doneEvent, "")
	stream("finish reason, then the end", delta+finish, "")
	stream("finish reason, then half an event", delta+finish+`data: {"usa`, "")
	stream("half an event", delta+`data: {"choi`, "stream.cut")
	stream("two finish reasons", delta+finish+finish+doneEvent, "")
	stream("done twice", delta+finish+doneEvent+doneEvent, "")
	stream("text after the finish reason", delta+finish+delta+doneEvent, "")
	stream("done at once", doneEvent, "body.not-completion")
	stream("a comment for ever, and done", strings.Repeat(": ping\n\n", 1000)+delta+finish+doneEvent, "")
	stream("a byte order mark", "\uFEFF"+delta+finish+doneEvent, "")
	stream("lines that end in CR", strings.ReplaceAll(delta+finish+doneEvent, "\n", "\r"), "")
	stream("lines that end in CRLF", strings.ReplaceAll(delta+finish+doneEvent, "\n", "\r\n"), "")
	stream("no blank lines", strings.ReplaceAll(delta+finish+doneEvent, "\n\n", "\n"), "")
	stream("an error event", delta+"event: error\ndata: {\"message\":\"CUDA error\"}\n\n", "stream.error")
	stream("an error, then done", delta+`data: {"error":{"message":"aborted"}}`+"\n\n"+doneEvent, "stream.error")
	stream("an error that is null", strings.Replace(delta, `{"choices"`, `{"error":null,"choices"`, 1)+finish+doneEvent, "")
	stream("an event that is no JSON", delta+"data: Internal Server Error\n\n"+doneEvent, "stream.error")
	stream("NUL in an event", delta+"data: \x00\n\n"+finish+doneEvent, "stream.error")
	stream("one choice of two has ended", `data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"},{"index":1,"delta":{"content":"b"}}]}`+"\n\n", "stream.cut")

	// Time.
	f("never ends after the answer", func(c net.Conn) {
		io.WriteString(c, chunkedAnswer(events, delta, finish, doneEvent))
		io.Copy(io.Discard, c)
	}, "", delta+finish+doneEvent)
	f("silent in the middle of an event", func(c net.Conn) {
		io.WriteString(c, chunkedAnswer(events, delta, `data: {"cho`))
		io.Copy(io.Discard, c)
	}, "timeout.idle", delta+`data: {"cho`)
	f("drips", func(c net.Conn) {
		io.WriteString(c, chunkedAnswer(events))
		for _, b := range delta + finish + doneEvent {
			fmt.Fprintf(c, "1\r\n%c\r\n", b)
			time.Sleep(time.Millisecond)
		}
		io.WriteString(c, "0\r\n\r\n")
	}, "", delta+finish+doneEvent)
}
