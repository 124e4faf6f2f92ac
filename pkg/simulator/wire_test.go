package simulator_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/simulator"
)

// TestMain checks that no goroutine outlives the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start serves in memory or over TCP and returns a client.
func start(t *testing.T, keys string, memory bool, timeouts endpoint.Timeouts) *endpoint.Endpoint {
	t.Helper()
	c, err := simulator.Parse("latency=0&" + keys)
	if err != nil {
		t.Fatal(err)
	}
	s, err := simulator.New(c)
	if err != nil {
		t.Fatal(err)
	}
	cfg := endpoint.Config{Timeouts: timeouts}
	var l net.Listener
	if memory {
		inside := simulator.Listen()
		cfg.URL, cfg.Name, cfg.Dial = "http://simulator", "sim:?"+keys, inside.Dial
		l = inside
	} else {
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		cfg.URL = "http://" + l.Addr().String()
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Serve(ctx, l) }()
	e, err := endpoint.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		e.Close()
		cancel()
		if err := <-stopped; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return e
}

// over runs a test over both kinds of connections.
func over(t *testing.T, test func(t *testing.T, memory bool)) {
	for _, memory := range []bool{true, false} {
		t.Run(fmt.Sprintf("memory=%v", memory), func(t *testing.T) { test(t, memory) })
	}
}

func request(i int, stream bool) endpoint.Request {
	body := fmt.Sprintf(`{"stream":%v,"messages":[{"role":"user","content":"How many clips are %d clips?"}]}`, stream, i)
	return endpoint.Request{Path: "/v1/chat/completions", Body: []byte(body), Stream: stream}
}

func TestOverTheWire(t *testing.T) {
	over(t, func(t *testing.T, memory bool) {
		e := start(t, "", memory, endpoint.Timeouts{})
		for i := range 20 {
			reply := e.Do(t.Context(), request(i, i%2 == 1))
			if reply.Error != nil || !strings.Contains(string(reply.Response.Raw), "thinkpipe-simulator") {
				t.Fatalf("%+v", reply.Error)
			}
		}
		if model, err := e.Model(t.Context()); err != nil || model != "simulated/Kimi-K2-Thinking" {
			t.Errorf("%s %v", model, err)
		}
		if info, ok := e.Info(t.Context()); !ok || info.Engine != "sglang" || info.ReasoningParser != "" {
			t.Errorf("%+v %v", info, ok)
		}
	})
}

func TestFaultsOverTheWire(t *testing.T) {
	over(t, func(t *testing.T, memory bool) {
		f := func(keys string, stream bool, code string) {
			t.Helper()
			var limits endpoint.Timeouts
			if code == "timeout.first-byte" {
				limits.FirstByte = 100 * time.Millisecond
			}
			e := start(t, keys, memory, limits)
			for i := range 5 {
				reply := e.Do(t.Context(), request(i, stream))
				if reply.Error == nil || reply.Error.Code != code {
					t.Errorf("%s: %+v, want %s", keys, reply.Error, code)
					return
				}
				if strings.HasSuffix(code, ".cut") && len(reply.Response.Raw) == 0 {
					t.Errorf("%s: nothing received", keys)
				}
				if code == "timeout.first-byte" {
					return
				}
			}
		}
		f("cut=1", false, "body.cut")
		f("cut=1", true, "stream.cut")
		f("cut=1&tpot=10us", true, "stream.cut")
		f("reset=1", false, "connect")
		f("stall=1", false, "timeout.first-byte")
		f("fail=429:1", false, "http.429")
		f("fail=503:1", true, "http.5xx")
		f("fail=404:1", false, "http.4xx")
	})
}

// A server that closes idle connections never makes a request fail.
func TestIdleClose(t *testing.T) {
	over(t, func(t *testing.T, memory bool) {
		e := start(t, "idle-close=10ms&tokens=1", memory, endpoint.Timeouts{})
		for i := range 50 {
			if reply := e.Do(t.Context(), request(i, false)); reply.Error != nil {
				t.Fatalf("request %d: %+v", i, *reply.Error)
			}
			time.Sleep(9*time.Millisecond + time.Duration(i)*50*time.Microsecond) // as the server closes
		}
	})
}

func TestGivenUpRequestsLeaveTheirSlot(t *testing.T) {
	const stalls = `simulator_faults_total{kind="stall"}`
	e := start(t, "stall=0.5&slots=1&seed=3", true, endpoint.Timeouts{})
	stalled := 0
	for i := range 12 {
		ctx, cancel := context.WithCancel(t.Context())
		reply := make(chan endpoint.Reply, 1)
		go func() { reply <- e.Do(ctx, request(i, false)) }()
		for len(reply) == 0 && gauge(t, e, stalls) == stalled {
			time.Sleep(time.Millisecond)
		}
		stalled = gauge(t, e, stalls)
		cancel()
		<-reply
	}
	if stalled < 2 || stalled > 10 {
		t.Errorf("%d of 12 stalled", stalled)
	}
}

// gauge is a figure of /metrics.
func gauge(t *testing.T, e *endpoint.Endpoint, name string) (value int) {
	t.Helper()
	r := e.Do(t.Context(), endpoint.Request{Method: http.MethodGet, Path: "/metrics"})
	if r.Error != nil {
		t.Fatal(*r.Error)
	}
	_, after, ok := strings.Cut(string(r.Response.Raw), "\n"+name+" ")
	if !ok && strings.Contains(name, "{") { // not counted yet
		return 0
	}
	if _, err := fmt.Sscan(after, &value); !ok || err != nil {
		t.Fatalf("no %s in\n%s", name, r.Response.Raw)
	}
	return value
}

// eventually waits for a figure.
func eventually(t *testing.T, e *endpoint.Endpoint, name string, want int) {
	t.Helper()
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(time.Millisecond) {
		if gauge(t, e, name) == want {
			return
		}
	}
	t.Errorf("%s is %d, want %d", name, gauge(t, e, name), want)
}

// A client that goes away gives its slot back; of a zombie it must be aborted by
// its name.
func TestAbandoned(t *testing.T) {
	over(t, func(t *testing.T, memory bool) {
		f := func(keys, rid string, stream bool, abandoned int) {
			t.Helper()
			e := start(t, keys+"&slots=4", memory, endpoint.Timeouts{})
			if rid != "" {
				e.Info(t.Context())
			}
			for i := range 3 {
				r := request(i, stream)
				if rid != "" {
					r.RequestID = rid + fmt.Sprint(i)
				}
				running := min(i, abandoned)
				if reply := abandon(t, e, r, running+1); reply.Error == nil || reply.Aborted != (rid != "") {
					t.Errorf("%s: %+v, aborted %v", keys, reply.Error, reply.Aborted)
				}
				eventually(t, e, "sglang:num_running_reqs", min(i+1, abandoned))
			}
			eventually(t, e, "simulator_abandoned", abandoned)
			eventually(t, e, "simulator_aborted_total", 3-abandoned)
		}
		for _, fault := range []string{"stall=1", "tpot=1h"} {
			for _, stream := range []bool{false, true} {
				f(fault, "", stream, 0)
				f(fault+"&zombie=1", "", stream, 3)
				f(fault+"&zombie=1", "ex_", stream, 0)
			}
		}
	})
}

// abandon sends a request and gives it up once the server runs so many.
func abandon(t *testing.T, e *endpoint.Endpoint, r endpoint.Request, running int) endpoint.Reply {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reply := make(chan endpoint.Reply)
	go func() { reply <- e.Do(ctx, r) }()
	eventually(t, e, "sglang:num_running_reqs", running)
	cancel()
	return <-reply
}

// A rid is the name of one sending, no part of the request.
func TestNamedRequestsMeetTheSameFaults(t *testing.T) {
	f := func(rid func(i, n int) string) (sends []int) {
		e := start(t, "fail=500:0.4&cut=0.2&tokens=1", true, endpoint.Timeouts{})
		e.Info(t.Context())
		for i := range 30 {
			for n := 1; ; n++ {
				r := request(i, false)
				r.RequestID = rid(i, n)
				if e.Do(t.Context(), r).Error == nil {
					sends = append(sends, n)
					break
				}
			}
		}
		return sends
	}
	plain := f(func(int, int) string { return "" })
	named := f(func(i, n int) string { return fmt.Sprintf("ex_%d_%d", i, n) })
	if !slices.Equal(plain, named) {
		t.Errorf("sends until an answer: %v without names, %v with", plain, named)
	}
}

func TestAbortByName(t *testing.T) {
	for _, stream := range []bool{false, true} {
		e := start(t, "tpot=5ms&tokens=4000", true, endpoint.Timeouts{})
		done := make(chan endpoint.Reply)
		go func() {
			body := fmt.Sprintf(`{"rid":"mine","stream":%v,"messages":[{"role":"user","content":"Go on for ever"}]}`, stream)
			done <- e.Do(t.Context(), endpoint.Request{Path: "/v1/chat/completions", Body: []byte(body)})
		}()
		for gauge(t, e, "sglang:num_running_reqs") != 1 {
		}
		if err := e.Abort(t.Context(), "mine"); err != nil {
			t.Fatal(err)
		}
		reply := <-done
		if reply.Error != nil || !strings.Contains(string(reply.Response.Raw), `"finish_reason":"abort"`) {
			t.Errorf("stream %v: %+v, %d bytes", stream, reply.Error, len(reply.Response.Raw))
		}
	}
}
