package endpoint

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// FuzzURLKeepsSecrets: whatever a URL looks like, what stands before an @ or
// behind a ? is never shown.
func FuzzURLKeepsSecrets(f *testing.F) {
	for _, s := range [][2]string{{"http", "h:8000"}, {"https", "h/v1?a=b"}, {"http://x/", "h"}, {"", ":bad:"}, {"http", "[::1"}, {"http", "%zz"}, {"unix", "/x"}, {"http+unix", "%2Fx/v1"}} {
		f.Add(s[0], s[1])
	}
	const secret = "q7Xv9s3cr3t"
	f.Fuzz(func(t *testing.T, scheme, rest string) {
		for _, url := range []string{scheme + "://u:" + secret + "@" + rest, scheme + "://" + rest + "?key=" + secret} {
			if strings.Contains(url[:strings.Index(url, secret)], "#") {
				continue // a fragment: no user, no query
			}
			e, err := New(Config{URL: url})
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%q: %v", url, err)
			}
			if err != nil {
				continue
			}
			if shown, _ := e.Shown("/v1/models"); strings.Contains(e.Name()+shown, secret) {
				t.Errorf("%q: named %s, shown %s", url, e.Name(), shown)
			}
		}
	})
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "7", "1.5", "-1", "1e309", "Mon, 30 Nov 2026 11:41:30 GMT", "0x10"} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 30, 11, 41, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, header string) {
		if d := ParseRetryAfter(header, now); d < 0 {
			t.Errorf("%q: %v", header, d)
		}
	})
}

// FuzzOverflowLimit: whatever a server says, the numbers are usable or there are none.
func FuzzOverflowLimit(f *testing.F) {
	f.Add("prompt is too long: 213462 tokens > 200000 maximum")
	f.Add("This model's maximum context length is 8192 tokens and your request has 1000 input tokens")
	f.Add("You passed 9 input tokens and requested 3 output tokens. However, the model's context length is only 9 tokens, resulting in a maximum input length of 8")
	f.Fuzz(func(t *testing.T, message string) {
		limit, prompt, ok := OverflowLimit(message)
		if ok != (limit > 0 && prompt > 0) || !ok && (limit != 0 || prompt != 0) {
			t.Errorf("%q: %d %d %v", message, limit, prompt, ok)
		}
	})
}

// FuzzWithName: the name comes first, the rest of the object is as it was.
func FuzzWithName(f *testing.F) {
	for _, s := range []string{`{"text":"x"}`, ` { "a" : {} } `, `{}`, `[]`, `{"`, ``} {
		f.Add(s, "ex_1")
	}
	f.Fuzz(func(t *testing.T, body, rid string) {
		got := string(withName([]byte(body), rid))
		if !jsonscan.Valid([]byte(body)) || got == "" {
			return
		}
		var doc jsonscan.Doc
		if err := doc.Scan([]byte(got)); err != nil {
			t.Fatalf("%q: %q: %v", body, got, err)
		}
		tail := strings.TrimLeft(strings.TrimLeft(body, " \t\r\n")[1:], " \t\r\n")
		if !strings.HasSuffix(got, tail) {
			t.Errorf("%q: %q", body, got)
		}
	})
}

// FuzzAnswer: whatever bytes a server sends, a reply says what they were, and no
// secret is in it but in the body.
func FuzzAnswer(f *testing.F) {
	const key = "sk-secret-0123456789"
	for _, s := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-A: b\r\n\r\n",
		"HTTP/1.0 500\r\nRetry-After: 1e99\r\n\r\n" + key, "HTTP/1.1 401 " + key + "\r\nX-Request-Id: " + key + "\r\nContent-Encoding: gzip\r\n\r\n",
		"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 302 Found\r\nLocation: http://h/" + key + "\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n", "\x16\x03\x01", "",
		"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 4\r\n\r\nabcd", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		dial := func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go func() {
				defer server.Close()
				if readRequest(bufio.NewReader(server)) == nil {
					io.WriteString(server, answer)
				}
			}()
			return client, nil
		}
		e := newEndpoint(t, Config{URL: "http://h", Dial: dial, APIKey: key})
		r := ask(t, e, false)
		if r.Error == nil && (r.Response == nil || r.Status()/100 != 2) || r.Error != nil && !slices.Contains(record.ErrorCodes(), r.Error.Code) {
			t.Errorf("%q: %+v, status %d", answer, r.Error, r.Status())
		}
		said := r.RetryAfter + r.contentType
		if r.Error != nil {
			said += r.Error.Message
		}
		if r.Response != nil {
			said += r.Response.ID + fmt.Sprint(r.Response.Headers)
			if sum := sha256.Sum256(r.Response.Raw); hex.EncodeToString(sum[:]) != r.Response.SHA256 {
				t.Errorf("%q: the sha256 does not hold", answer)
			}
		}
		if strings.Contains(said, key) {
			t.Errorf("%q: the key is in %q", answer, said)
		}
	})
}
