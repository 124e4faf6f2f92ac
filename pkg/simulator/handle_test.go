package simulator

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRefusals(t *testing.T) {
	long := strings.Repeat(" w", Default().Context+1)
	f := func(keys, method, path, body string, status int, want string) {
		t.Helper()
		w := call1(newServer(t, keys), method, path, body)
		if w.Code != status || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s %s: %d %.300s, want %d %s", method, path, w.Code, w.Body, status, want)
		}
	}
	const chat, flat = "/v1/chat/completions", `{"object":"error","message":"`
	f("", "GET", "/nothing", "", 404, `{"detail":"Not Found"}`)
	f("", "GET", chat, "", 405, `{"detail":"Method Not Allowed"}`)
	f("engine=vllm", "POST", "/generate", "{}", 404, "Not Found")
	f("", "GET", "/version", "", 404, "Not Found")
	f("", "POST", chat, "{", 400, flat+"the body cannot be read")
	f("", "POST", chat, `{"messages":[]}`, 400, flat+`Messages cannot be empty.","type":"BadRequestError","param":null,"code":400}`)
	f("", "POST", chat, `{"messages":[{"role":"robot","content":""}]}`, 400, "unknown role")
	f("", "POST", chat, ask(1, `,"max_tokens":0`), 400, "max_tokens must be at least 1, got 0.")
	f("", "POST", chat, ask(1, `,"n":1000`), 400, "n must be at most 128")
	f("", "POST", "/generate", `{}`, 400, "should be provided")
	f("", "POST", "/v1/completions", `{"prompt":[]}`, 400, "should be provided")
	f("", "POST", "/generate", `{"text":"`+long+`"}`, 400, "The input (131073 tokens) is longer than the model's context length (131072 tokens).")
	f("", "POST", chat, ask(1, `,"max_tokens":131072`), 400, "Requested token count exceeds the model's maximum context length of 131072 tokens.")
	f("engine=vllm", "POST", chat, ask(1, `,"max_tokens":131072`), 400, `{"error":{"message":"This model's maximum context length is 131072 tokens. However, you requested`)
	f("engine=vllm", "POST", chat, ask(1, `,"model":"gpt-9"`), 404, "{\"error\":{\"message\":\"The model `gpt-9` does not exist.\",\"type\":\"NotFoundError\",\"param\":null,\"code\":404}}")
	f("", "POST", chat, ask(1, `,"model":"gpt-9"`), 200, `"model":"gpt-9"`)
	f("fail=500:1", "POST", chat, ask(1, ""), 500, flat+`Internal server error","type":"InternalServerError","param":null,"code":500}`)
	f("fail=418:1", "POST", chat, ask(1, ""), 418, "I'm a teapot")
	f("engine=vllm&fail=429:1", "POST", chat, ask(1, ""), 429, `{"error":{"message":"The request queue is full.","type":"RateLimitError"`)
}

func TestFaultsDependOnSeedRequestAndArrival(t *testing.T) {
	outcome := func(s *Server, i int) int { return call1(s, "POST", "/v1/chat/completions", ask(i, "")).Code }
	a, b := newServer(t, "tokens=1&fail=429:0.3,500:0.2"), newServer(t, "tokens=1&fail=429:0.3,500:0.2")
	counts := map[int]int{}
	const n = 600
	for i := range n {
		code := outcome(a, i)
		if code != outcome(b, i) {
			t.Fatal("two servers of one seed differ")
		}
		counts[code]++
	}
	for code, want := range map[int]float64{429: 0.3, 500: 0.2, 200: 0.5} {
		if got := float64(counts[code]) / n; math.Abs(got-want) > 0.06 {
			t.Errorf("%d: %.3f of all, want %g", code, got, want)
		}
	}
	// Asked often enough, every request is answered; faults of arrivals differ.
	s := newServer(t, "tokens=1&fail=500:0.5")
	for i := range 30 {
		failed := 0
		for outcome(s, i) != 200 {
			if failed++; failed > 30 {
				t.Fatalf("request %d never succeeds", i)
			}
		}
	}
	headers := 0
	s = newServer(t, "fail=429:1")
	for i := range 100 {
		if call1(s, "POST", "/v1/chat/completions", ask(i, "")).Header().Get("Retry-After") != "" {
			headers++
		}
	}
	if headers < 10 || headers > 90 {
		t.Errorf("%d of 100 refusals say when to come back", headers)
	}
}

func TestArrivalsAreBounded(t *testing.T) {
	var a arrivals
	for i := range 2*maxArrivals + 9 {
		a.next(uint64(i))
		if n := a.next(1 << 60); n != i+1 { // remembered while it keeps coming
			t.Fatalf("arrival %d of a request counted as %d", i+1, n)
		}
	}
	if n := len(a.young) + len(a.aged); n > 2*maxArrivals {
		t.Errorf("%d requests remembered", n)
	}
}

func TestBadAfter(t *testing.T) {
	s := newServer(t, "bad-after=3")
	for i := range 6 {
		r := decode(t, post(t, s, "/v1/chat/completions", ask(i, "")))
		if has := strings.Contains(r.Choices[0].Message.Content, "</think>"); has != (i < 3) {
			t.Errorf("answer %d has thinking: %v", i+1, has)
		}
	}
}

func TestEmptyIsAShare(t *testing.T) {
	s, n := newServer(t, "empty=0.3"), 0
	for i := range 300 {
		if !strings.Contains(post(t, s, "/v1/chat/completions", ask(i, "")), "</think>") {
			n++
		}
	}
	if n < 65 || n > 115 {
		t.Errorf("%d of 300 without thinking, want about 90", n)
	}
}

func TestLatencyAndTimePerToken(t *testing.T) {
	f := func(keys, more string, want time.Duration) {
		t.Helper()
		c, _ := Parse(keys)
		s, _ := New(c)
		start := time.Now()
		post(t, s, "/v1/chat/completions", ask(1, more))
		if took := time.Since(start); took < want {
			t.Errorf("%s%s: %v, want at least %v", keys, more, took, want)
		}
	}
	f("latency=30ms", "", 30*time.Millisecond)
	f("latency=10ms&tpot=2ms", `,"max_tokens":10`, 30*time.Millisecond)
	f("latency=10ms&tpot=2ms", `,"max_tokens":10,"stream":true`, 28*time.Millisecond)
}

func TestSlots(t *testing.T) {
	c, _ := Parse("slots=3&latency=5ms")
	s, _ := New(c)
	var all sync.WaitGroup
	start := time.Now()
	for i := range 12 {
		all.Go(func() { post(t, s, "/v1/chat/completions", ask(i, "")) })
	}
	finished := make(chan bool)
	go func() { all.Wait(); close(finished) }()
	for {
		select {
		case <-finished:
			if took := time.Since(start); took < 20*time.Millisecond {
				t.Errorf("12 answers of 5 ms in 3 slots took %v", took)
			}
			return
		default:
			if n := s.stats.running.Load(); n > 3 {
				t.Fatalf("%d run in 3 slots", n)
			}
		}
	}
}

func TestAbout(t *testing.T) {
	s := newServer(t, "parser=on&slots=8")
	get := func(s *Server, path string) string { return call1(s, "GET", path, "").Body.String() }
	var models struct{ Data []struct{ ID string } }
	if err := json.Unmarshal([]byte(get(s, "/v1/models")), &models); err != nil || models.Data[0].ID != "simulated/Kimi-K2-Thinking" {
		t.Errorf("%v %+v", err, models)
	}
	for _, path := range []string{"/server_info", "/get_server_info"} {
		var info map[string]any
		if err := json.Unmarshal([]byte(get(s, path)), &info); err != nil || info["reasoning_parser"] != "kimi_k2" || info["max_running_requests"] != 8.0 {
			t.Errorf("%s: %v %v", path, err, info)
		}
	}
	if got := get(newServer(t, "engine=vllm"), "/version"); got != `{"version":"0.0.0-simulator"}` {
		t.Errorf("version %s", got)
	}
	if w := call1(s, "GET", "/health", ""); w.Code != 200 {
		t.Errorf("health %d", w.Code)
	}
	if got := post(t, s, "/tokenize", `{"prompt":"one two"}`); !strings.HasPrefix(got, `{"count":2,"max_model_len":131072,"tokens":[`) {
		t.Errorf("tokenize %s", got)
	}
	if got := post(t, s, "/tokenize", `{"messages":[{"role":"user","content":[{"type":"text","text":"one two three"}]}]}`); !strings.HasPrefix(got, `{"count":3,`) {
		t.Errorf("tokenize %s", got)
	}
}

func TestMetrics(t *testing.T) {
	s := newServer(t, "tokens=1&fail=500:0.5")
	for i := range 20 {
		call1(s, "POST", "/v1/chat/completions", ask(i, ""))
	}
	text := call1(s, "GET", "/metrics", "").Body.String()
	answers, faults := s.stats.answers.Load(), s.stats.faults["500"]
	for _, want := range []string{
		"# TYPE sglang:num_running_reqs gauge\nsglang:num_running_reqs 0\n", "sglang:num_queue_reqs 0\n",
		"simulator_requests_total 20\n", fmt.Sprintf("simulator_answers_total %d\n", answers),
		fmt.Sprintf("simulator_faults_total{kind=\"500\"} %d\n", faults),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if answers+int64(faults) != 20 || answers == 0 || faults == 0 {
		t.Errorf("%d answers and %d faults of 20", answers, faults)
	}
	if text := call1(newServer(t, "engine=vllm"), "GET", "/metrics", "").Body.String(); !strings.Contains(text, "vllm:num_requests_waiting 0\n") {
		t.Error(text)
	}
}

// Aborted before its first token, stalled or in the queue: an answer that says so.
func TestAbortBeforeTheFirstToken(t *testing.T) {
	for _, keys := range []string{"stall=1&slots=1", "tpot=1h&slots=1"} {
		s := newServer(t, keys)
		answers := make(chan string)
		for _, rid := range []string{"a", "b"} { // one of them waits for the other's slot
			go func() { answers <- call1(s, "POST", "/v1/chat/completions", ask(1, `,"rid":"`+rid+`"`)).Body.String() }()
		}
		for s.stats.running.Load() != 1 || s.stats.queued.Load() != 1 {
			runtime.Gosched()
		}
		call1(s, "POST", "/abort_request", `{"abort_all":true}`)
		for range 2 {
			if got := <-answers; !strings.Contains(got, `"content":null`) || !strings.Contains(got, `"finish_reason":"abort"`) {
				t.Errorf("%s: %s", keys, got)
			}
		}
		if got := s.stats.aborted.Load(); got != 1 {
			t.Errorf("%s: %d counted as aborted while they had a slot", keys, got)
		}
	}
}
