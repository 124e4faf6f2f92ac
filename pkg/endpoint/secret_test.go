package endpoint

import (
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// However a server repeats the key, no message shows it, whole or cut.
func TestMessagesHideTheKey(t *testing.T) {
	const key = `sk-proj-a/b+c="d"éfghijklmnopqrstuvwxyz0123456789`
	quoted := strings.ReplaceAll(key, `"`, `\"`)
	f := func(name, body string) {
		t.Helper()
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(401)
			io.WriteString(w, body)
		})
		reply := ask(t, newEndpoint(t, Config{URL: url, APIKey: key}), false)
		if received(&reply) != body {
			t.Errorf("%s: the body is not kept as it came", name)
		}
		for _, part := range []string{key, key[:20], url_(key)[:20], key[len(key)-20:], base64.StdEncoding.EncodeToString([]byte(key))[:16]} {
			if strings.Contains(reply.Error.Message, part) {
				t.Errorf("%s: %s", name, reply.Error.Message)
			}
		}
		if !strings.Contains(reply.Error.Message, "***") && !strings.HasPrefix(name, "cut") {
			t.Errorf("%s: lost its words: %s", name, reply.Error.Message)
		}
	}
	f("plain", "who is "+key)
	f("JSON", `{"error":{"message":"who is Bearer `+quoted+`"}}`)
	f("JSON, escaped", `{"error":{"message":"who is `+strings.ReplaceAll(quoted, "/", `\/`)+`"}}`)
	f("broken JSON", `{"error":{"message":"who is `+quoted+`"`)
	f("in a URL", "who is ?key="+url_(key))
	f("in base64", "who is "+base64.StdEncoding.EncodeToString([]byte(key)))
	for i := range 60 { // wherever the message is cut
		f("cut", strings.Repeat("x", maxWords-60+i)+key)
		f("cut far behind", strings.Repeat("x", 20)+strings.Repeat(key, maxLook/len(key))[:maxLook-30-i]+key)
	}
}

func url_(s string) string { return url.QueryEscape(s) }

func TestHeadersHideTheKey(t *testing.T) {
	const key = "sk-0123456789abcdef"
	server := raw(t, func(c *net.TCPConn) {
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Encoding: %[1]s\r\nContent-Type: %[1]s\r\nRetry-After: %[1]s\r\nX-Request-Id: %[1]s\r\nServer: %[1]s\r\nContent-Length: 1\r\n\r\nx", key)
	})
	reply := ask(t, newEndpoint(t, Config{URL: server, APIKey: key}), false)
	shown := fmt.Sprint(*reply.Error, reply.ContentType(), reply.RetryAfter, reply.Response.ID, reply.Response.Headers)
	if strings.Contains(shown, key) || strings.Count(shown, "***") != 8 {
		t.Error(shown)
	}
}
