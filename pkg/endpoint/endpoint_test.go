package endpoint

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain checks that no goroutine outlives the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

func TestNames(t *testing.T) {
	f := func(url, name, chat, generate string) {
		t.Helper()
		e, err := New(Config{URL: url})
		if err != nil {
			t.Errorf("%s: %v", url, err)
			return
		}
		if e.Name() != name {
			t.Errorf("%s: name %s, want %s", url, e.Name(), name)
		}
		if got := e.url("/v1/chat/completions").String(); got != chat {
			t.Errorf("%s: chat %s, want %s", url, got, chat)
		}
		if got := e.url("/generate").String(); got != generate {
			t.Errorf("%s: generate %s, want %s", url, got, generate)
		}
	}
	f("http://h:8000", "http://h:8000", "http://h:8000/v1/chat/completions", "http://h:8000/generate")
	f("http://h:8000/", "http://h:8000", "http://h:8000/v1/chat/completions", "http://h:8000/generate")
	f("http://h:8000/v1", "http://h:8000", "http://h:8000/v1/chat/completions", "http://h:8000/generate")
	f("http://h:8000/v1/", "http://h:8000", "http://h:8000/v1/chat/completions", "http://h:8000/generate")
	f("http://h/v1/chat/completions", "http://h", "http://h/v1/chat/completions", "http://h/generate")
	f("http://h/generate", "http://h", "http://h/v1/chat/completions", "http://h/generate")
	f("https://h/openai/v1", "https://h/openai", "https://h/openai/v1/chat/completions", "https://h/openai/generate")
	f("https://h/api/paas/v4/", "https://h/api/paas/v4", "https://h/api/paas/v4/chat/completions", "https://h/api/paas/generate")
	f("https://u:p@h/v1?key=k", "https://h", "https://h/v1/chat/completions?key=k", "https://h/generate?key=k")
	f("http://[::1]:30000", "http://[::1]:30000", "http://[::1]:30000/v1/chat/completions", "http://[::1]:30000/generate")
	f("http://h/a%20b", "http://h/a%20b", "http://h/a%20b/v1/chat/completions", "http://h/a%20b/generate")
}

// What is shown for curl is what is asked, without secrets.
func TestShown(t *testing.T) {
	f := func(c Config, want, socket string) {
		t.Helper()
		e, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		if shown, at := e.Shown("/v1/models"); shown != want || at != socket {
			t.Errorf("%s: %s, %q, want %s, %q", c.URL, shown, at, want, socket)
		}
	}
	f(Config{URL: "https://u:p@h/api/v4?key=k"}, "https://h/api/v4/models", "")
	f(Config{URL: "unix:/s.sock:/openai"}, "http://localhost/openai/v1/models", "/s.sock")
	f(Config{URL: "http://simulator", Name: "sim:"}, "sim:/v1/models", "")
}

const secret = "s3cr3t"

func TestBadConfigurations(t *testing.T) {
	f := func(c Config, want string) {
		t.Helper()
		_, err := New(c)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("shows a secret: %v", err)
		}
	}
	f(Config{}, "no server URL")
	f(Config{URL: "localhost:8000"}, `"localhost:8000" must begin with http://`)
	f(Config{URL: "ftp://h"}, "must begin with http://")
	f(Config{URL: "127.0.0.1:8000"}, `"127.0.0.1:8000" must begin with http://`)
	f(Config{URL: "http://h:65536"}, `"http://h:65536" has no port`)
	f(Config{URL: "http://"}, "names no host")
	f(Config{URL: "http://u:" + secret + "@h:bad"}, `"http://h:bad" is not valid`)
	f(Config{URL: "http://u:" + secret + "#x@h"}, "is not valid")
	f(Config{URL: "http://u:1/" + secret + "@h"}, "write it as %2F")
	f(Config{URL: "u:" + secret + "@h?key=" + secret}, "must begin")
	f(Config{URL: "http://h", APIKey: secret + "\n"}, "control character")
	f(Config{URL: "http://h", Header: [][2]string{{"X-A", secret + "\r\nB: c"}}}, "the value of header X-A")
	f(Config{URL: "http://h", Header: [][2]string{{"X A", "b"}}}, `header name "X A" is not valid`)
	f(Config{URL: "http://h", Header: [][2]string{{"accept-encoding", "gzip"}}}, "Accept-Encoding is set by the client")
}

func TestRequestIsSentAsItIs(t *testing.T) {
	body := "{\"messages\":[],\"big\":12345678901234567890,\"x\":\"\\ud800\"}"
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ := io.ReadAll(r.Body)
		want := map[string]string{
			"Authorization": "Bearer " + secret, "Accept-Encoding": "identity",
			"Content-Type": "application/json", "X-Team": "blue", "Content-Length": fmt.Sprint(len(body)),
		}
		for name, value := range want {
			if name != "Content-Length" && r.Header.Get(name) != value {
				t.Errorf("header %s: %q, want %q", name, r.Header.Get(name), value)
			}
		}
		if string(got) != body || r.ContentLength != int64(len(body)) || r.Method != "POST" || r.Host != "front" {
			t.Errorf("%s %s %q", r.Method, r.Host, got)
		}
		h := w.Header()
		h.Set("X-Request-Id", "req-"+secret)
		h.Set("Set-Cookie", "session=1")
		h.Set("X-RateLimit-Remaining", "9")
		h.Set("Server", "uvicorn")
		h["Date"] = []string{"Mon, 30 Nov 2026 11:41:00 GMT"}
		h.Set("Content-Type", "application/json")
		io.WriteString(w, "{}\n")
	})
	e := newEndpoint(t, Config{URL: url + "/v1", APIKey: secret, Header: [][2]string{{"x-team", "blue"}, {"host", "front"}}})
	reply := e.Do(t.Context(), Request{Path: "/v1/chat/completions", Body: []byte(body)})
	if reply.Error != nil {
		t.Fatal(*reply.Error)
	}
	r := reply.Response
	const sum = "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356" // sha256sum of "{}\n"
	if r.Status != 200 || string(r.Raw) != "{}\n" || r.SHA256 != sum || r.ID != "req-***" || reply.ContentType() != "application/json" {
		t.Errorf("%+v", r)
	}
	want := "[[content-type application/json] [date Mon, 30 Nov 2026 11:41:00 GMT] [server uvicorn] [x-ratelimit-remaining 9] [x-request-id req-***]]"
	if got := fmt.Sprint(r.Headers); got != want {
		t.Errorf("headers %s\nwant    %s", got, want)
	}
	ts := reply.Timing
	if ts.Queued <= 0 || ts.FirstByte < ts.Queued || ts.Total < ts.FirstByte {
		t.Errorf("timing %+v", ts)
	}
}

func TestUserAndPassword(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if u, p, _ := r.BasicAuth(); u != "me" || p != secret || r.URL.Query().Get("key") != secret {
			t.Errorf("%q %q %q", u, p, r.URL.RawQuery)
		}
		w.WriteHeader(401)
		io.WriteString(w, "no entry for "+secret+", Basic "+base64.StdEncoding.EncodeToString([]byte("me:"+secret)))
	})
	e := newEndpoint(t, Config{URL: strings.Replace(url, "://", "://me:"+secret+"@", 1) + "?key=" + secret})
	reply := ask(t, e, false)
	if reply.Error == nil || reply.Error.Code != "http.4xx" {
		t.Fatalf("%+v", reply.Error)
	}
	for _, s := range []string{secret, base64.StdEncoding.EncodeToString([]byte("me:" + secret))} {
		if strings.Contains(reply.Error.Message, s) || strings.Contains(e.Name(), s) {
			t.Errorf("shows a secret: %s %s", e.Name(), reply.Error.Message)
		}
	}
}

func TestStatuses(t *testing.T) {
	f := func(status int, body, code, message string) {
		t.Helper()
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "https://me:"+secret+"@login.example/?token="+secret)
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			io.WriteString(w, body)
		})
		reply := ask(t, newEndpoint(t, Config{URL: url}), false)
		if reply.Error == nil || reply.Error.Code != code || reply.Error.Message != message {
			t.Errorf("%d: %+v, want %s %s", status, reply.Error, code, message)
		}
		if received(&reply) != body || reply.Status() != status || reply.RetryAfter != "7" {
			t.Errorf("%d: received %q, retry after %q", status, received(&reply), reply.RetryAfter)
		}
	}
	f(429, `{"error":{"message":"slow\ndown","code":429}}`, "http.429", "429 Too Many Requests: slow down")
	f(500, "<html>\x1b[31mboom</html>", "http.5xx", "500 Internal Server Error: <html> [31mboom</html>")
	f(503, "", "http.5xx", "503 Service Unavailable")
	f(404, `{"object":"error","message":"The model 'x' does not exist.","code":404}`, "http.4xx", "404 Not Found: The model 'x' does not exist.")
	f(422, `{"detail":"bad"}`, "http.4xx", "422 Unprocessable Entity: bad")
	f(400, `{"object":"error","message":"The input (61709 tokens) is longer than the model's context length (40960 tokens)."}`,
		"context-overflow", "400 Bad Request: The input (61709 tokens) is longer than the model's context length (40960 tokens).")
	f(307, "moved", "http.4xx", `307 Temporary Redirect: redirects are not followed; this one leads to "https://login.example"`)
}

func TestHTMLWith200IsCarried(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>login</html>") })
	reply := ask(t, newEndpoint(t, Config{URL: url}), false)
	if reply.Error != nil || received(&reply) != "<html>login</html>" || !strings.HasPrefix(reply.ContentType(), "text/html") {
		t.Errorf("%+v %q", reply.Error, received(&reply))
	}
}

func TestLargeBodies(t *testing.T) {
	text := strings.Repeat("0123456789abcdef", 1<<18) // 4 MiB
	for _, chunked := range []bool{false, true} {
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if !chunked {
				w.Header().Set("Content-Length", fmt.Sprint(len(text)))
			}
			io.WriteString(w, text)
		})
		reply := ask(t, newEndpoint(t, Config{URL: url}), false)
		if reply.Error != nil || received(&reply) != text {
			t.Errorf("chunked %v: %+v, %d bytes", chunked, reply.Error, len(received(&reply)))
		}
	}
}

func TestClaimedLengthIsNotBelieved(t *testing.T) {
	w := watch{pulse: new(Pulse)}
	resp := &http.Response{StatusCode: 200, ContentLength: 1 << 60, Body: io.NopCloser(strings.NewReader("{}"))}
	raw, err := readBody(resp, &w, maxBody)
	if err != nil || string(raw) != "{}" || cap(raw) > trusted+1 {
		t.Errorf("%v, %d bytes taken", err, cap(raw))
	}
}

func TestServerClosesIdleConnections(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "{}")
	}))
	s.Config.IdleTimeout = 10 * time.Millisecond
	s.Start()
	t.Cleanup(s.Close)
	e := newEndpoint(t, Config{URL: s.URL})
	e.pool.quiet = 0
	for i := range 50 {
		if reply := ask(t, e, false); reply.Error != nil {
			t.Fatalf("request %d: %+v", i, *reply.Error)
		}
		time.Sleep(9*time.Millisecond + time.Duration(i)*50*time.Microsecond) // as the server closes
	}
}

func TestModels(t *testing.T) {
	f := func(answer, model, wantErr string) {
		t.Helper()
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method != "GET" || r.URL.Path != "/v1/models" {
				t.Errorf("%s %s", r.Method, r.URL)
			}
			io.WriteString(w, answer)
		})
		got, err := newEndpoint(t, Config{URL: url, Name: "here"}).Model(t.Context())
		if got != model || (err == nil) != (wantErr == "") || err != nil && err.Error() != wantErr {
			t.Errorf("%s: %q %v", answer, got, err)
		}
	}
	f(`{"object":"list","data":[{"id":"kimi","parent":null}]}`, "kimi", "")
	f(`{"data":[{"id":"base"},{"id":"lora","parent":"base"}]}`, "base", "")
	f(`{"data":[{"id":"a"},{"id":"b"}]}`, "", `here serves 2 models, name one of them: "a", "b"`)
	f(`{"data":[]}`, "", "here names no model")
	f(`<html>`, "", `here/v1/models: not JSON: `+notJSON(t, "<html>"))
}

func notJSON(t *testing.T, s string) string {
	_, err := newEndpoint(t, Config{URL: serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, s) })}).get(t.Context(), "/x")
	return errors.Unwrap(err).Error()
}

func TestModelError(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Error(w, "who are you", 401) })
	_, err := newEndpoint(t, Config{URL: url, Name: "here"}).Model(t.Context())
	var failure *Error
	if !errors.As(err, &failure) || failure.Status != 401 || err.Error() != "here: 401 Unauthorized: who are you" {
		t.Errorf("%v", err)
	}
}

func TestAbort(t *testing.T) {
	var got string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = r.URL.Path + " " + string(b)
	})
	if err := newEndpoint(t, Config{URL: url}).Abort(context.Background(), `a"b`); err != nil || got != `/abort_request {"rid":"a\"b"}` {
		t.Errorf("%v %s", err, got)
	}
}
