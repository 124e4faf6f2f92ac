package simulator

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
)

func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	s.write(w, http.StatusOK, fmt.Appendf(nil, `{"object":"list","data":[{"id":%q,"object":"model","created":%d,"owned_by":"simulator",`+
		`"root":%[1]q,"parent":null,"max_model_len":%[3]d}]}`, s.family.model, created, s.config.Context))
}

// info is SGLang's account of itself.
func (s *Server) info(w http.ResponseWriter, r *http.Request) {
	parser := "null"
	if s.config.Parser {
		parser = quoted(s.family.name)
	}
	s.write(w, http.StatusOK, fmt.Appendf(nil, `{"model_path":%q,"served_model_name":%[1]q,"version":%q,"simulator":true,`+
		`"context_length":%d,"max_running_requests":%d,"reasoning_parser":%s,"tool_call_parser":%[5]s}`,
		s.family.model, s.release(), s.config.Context, s.config.Slots, parser))
}

func (s *Server) version(w http.ResponseWriter, r *http.Request) {
	s.write(w, http.StatusOK, fmt.Appendf(nil, `{"version":%q}`, s.release()))
}

// VersionSuffix is what every version of a simulated server ends in.
const VersionSuffix = "-simulator"

// release is the version that the server says it is.
func (s *Server) release() string {
	if n := s.config.NewAfter; n > 0 && s.stats.answers.Load() >= int64(n) {
		return "0.0.1" + VersionSuffix
	}
	return "0.0.0" + VersionSuffix
}

// tokenize counts the tokens of a prompt or of messages.
func (s *Server) tokenize(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Prompt   string
		Messages []message
	}
	body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err := json.Unmarshal(body, &q); err != nil {
		s.refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if len(q.Messages) > 0 {
		q.Prompt, _, _ = conversation(q.Messages)
	}
	list := pieces(q.Prompt)
	dst := fmt.Appendf(nil, `{"count":%d,"max_model_len":%d,"tokens":`, len(list), s.config.Context)
	s.write(w, http.StatusOK, append(appendIDs(dst, list), '}'))
}

// abort ends a request by its rid. Like SGLang it is content with names that it
// does not know.
func (s *Server) abort(w http.ResponseWriter, r *http.Request) {
	var q struct {
		RID string `json:"rid"`
		All bool   `json:"abort_all"`
	}
	body, _ := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err := json.Unmarshal(body, &q); err != nil {
		s.refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	s.stats.aborted.Add(int64(s.active.abort(q.RID, q.All)))
}

// counters of a server.
type counters struct {
	requests, begun, answers, tokens atomic.Int64
	running, queued                  atomic.Int64
	aborted, gone                    atomic.Int64 // of those running, of those queued

	mu     sync.Mutex
	faults map[string]int
}

func (c *counters) answered(p *reply) {
	c.answers.Add(1)
	c.tokens.Add(int64(p.length()))
}

func (c *counters) fault(m misfortune) {
	name := m.kind
	if m.status != 0 {
		name = fmt.Sprint(m.status)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.faults == nil {
		c.faults = map[string]int{}
	}
	c.faults[name]++
}

// metrics are Prometheus text: the engine's names for what it has, too.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	c := &s.stats
	var dst []byte
	put := func(name, kind, help string, value int64) {
		dst = fmt.Appendf(dst, "# HELP %s %s\n# TYPE %[1]s %[3]s\n%[1]s %[4]d\n", name, help, kind, value)
	}
	running, queued := "sglang:num_running_reqs", "sglang:num_queue_reqs"
	if s.config.Engine == "vllm" {
		running, queued = "vllm:num_requests_running", "vllm:num_requests_waiting"
	}
	put(running, "gauge", "Requests that have a slot.", c.running.Load())
	put(queued, "gauge", "Requests that wait for a slot.", c.queued.Load())
	put("simulator_abandoned", "gauge", "Requests that have a slot although their client went away.", int64(s.active.abandoned()))
	put("simulator_requests_total", "counter", "Requests to generate.", c.requests.Load())
	put("simulator_answers_total", "counter", "Replies with an answer.", c.answers.Load())
	put("simulator_tokens_total", "counter", "Tokens of all answers.", c.tokens.Load())
	put("simulator_aborted_total", "counter", "Requests given up by the client or aborted while they had a slot.", c.aborted.Load())
	put("simulator_left_queue_total", "counter", "Requests given up by the client in the queue.", c.gone.Load())
	dst = append(dst, "# HELP simulator_faults_total Faults by kind.\n# TYPE simulator_faults_total counter\n"...)
	dst = c.appendFaults(dst)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(dst)
}

func (c *counters) appendFaults(dst []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, kind := range slices.Sorted(maps.Keys(c.faults)) {
		dst = fmt.Appendf(dst, "simulator_faults_total{kind=%q} %d\n", kind, c.faults[kind])
	}
	return dst
}
