package simulator

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// answer serves the endpoints that generate.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, kind endpoint) {
	s.stats.requests.Add(1)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		return
	}
	req, err := parse(kind, body, s.config.Seed)
	if err != nil {
		s.refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	if status, words := s.unfit(req); status != 0 {
		s.refuse(w, status, words)
		return
	}
	arrival := s.arrivals.next(req.hash)
	m := s.befalls(req.hash, arrival)
	if m.kind == "fail" {
		s.stats.fault(m)
		s.fail(w, m)
		return
	}
	work := r.Context()
	if draw(s.config.Seed, req.hash, arrival, "zombie") < s.config.Zombie {
		work = outliving(work)
	}
	t := s.active.enter(work, r.Context(), req.RID)
	defer s.active.leave(t)
	if !s.slot(t) {
		s.stats.gone.Add(1)
		s.end(t, w, req)
		return
	}
	defer s.free(t)
	s.serve(t, w, req, m)
}

// serving is the key of the context in which a server serves.
type serving struct{}

// outliving is a context of work that goes on when its client goes away, until the
// server ends.
func outliving(client context.Context) context.Context {
	if server, ok := client.Value(serving{}).(context.Context); ok {
		return server
	}
	return context.WithoutCancel(client)
}

// unfit says what an engine objects to in a request. SGLang takes any name for
// its model.
func (s *Server) unfit(r *request) (status int, words string) {
	if s.config.Engine == "vllm" && r.Model != "" && r.Model != s.family.model {
		return http.StatusNotFound, fmt.Sprintf("The model `%s` does not exist.", r.Model)
	}
	prompt, limit := len(pieces(r.prompt)), 0
	if n := r.limit(); n != nil {
		limit = *n
	}
	switch {
	case prompt+limit <= s.config.Context:
		return 0, ""
	case s.config.Engine == "vllm":
		return http.StatusBadRequest, fmt.Sprintf("This model's maximum context length is %d tokens. However, you requested %d tokens "+
			"(%d in the messages, %d in the completion). Please reduce the length of the messages or completion.",
			s.config.Context, prompt+limit, prompt, limit)
	case prompt > s.config.Context:
		return http.StatusBadRequest, fmt.Sprintf("The input (%d tokens) is longer than the model's context length (%d tokens).", prompt, s.config.Context)
	}
	return http.StatusBadRequest, fmt.Sprintf("Requested token count exceeds the model's maximum context length of %d tokens. "+
		"You requested a total of %d tokens: %d tokens from the input messages and %d tokens for the completion. "+
		"Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
		s.config.Context, prompt+limit, prompt, limit)
}

// slot waits for one; false when the client went away or gave up before.
func (s *Server) slot(t *task) bool {
	if s.slots != nil {
		s.stats.queued.Add(1)
		defer s.stats.queued.Add(-1)
		select {
		case s.slots <- struct{}{}:
		case <-t.Done():
			return false
		}
	}
	s.stats.running.Add(1)
	s.active.run(t, true)
	return true
}

func (s *Server) free(t *task) {
	s.active.run(t, false)
	s.stats.running.Add(-1)
	if s.slots != nil {
		<-s.slots
	}
}

// serve answers a request that has a slot.
func (s *Server) serve(t *task, w http.ResponseWriter, r *request, m misfortune) {
	if m.kind != "" {
		s.stats.fault(m)
	}
	switch m.kind {
	case "reset":
		reset(w)
		return
	case "stall":
		<-t.Done()
		s.lost(t)
		s.end(t, w, r)
		return
	}
	if !sleep(t, s.config.Latency) && !t.aborted() {
		s.lost(t)
		return
	}
	bad := s.config.BadAfter > 0 && s.stats.begun.Add(1) > int64(s.config.BadAfter)
	reply := s.reply(r, bad)
	if r.Stream {
		s.stream(t, w, reply, m)
	} else {
		s.whole(t, w, reply, m)
	}
}

func (s *Server) reply(r *request, bad bool) *reply {
	p := &reply{server: s, request: r, prompt: len(pieces(r.prompt)) + len(pieces(r.prefix))}
	for i := range r.N {
		p.answers = append(p.answers, s.compose(r, i, bad))
	}
	return p
}

// lost counts a request whose client went away; one that was aborted is counted
// there.
func (s *Server) lost(t *task) {
	if !t.aborted() {
		s.stats.aborted.Add(1)
	}
}

// end answers a request that was aborted before its first token.
func (s *Server) end(t *task, w http.ResponseWriter, r *request) {
	if !t.aborted() {
		return
	}
	p := s.reply(r, false)
	p.cut(0, "abort")
	if r.Stream {
		s.stream(t, w, p, misfortune{})
	} else {
		s.whole(t, w, p, misfortune{})
	}
}

// whole writes a body.
func (s *Server) whole(t *task, w http.ResponseWriter, p *reply, m misfortune) {
	if !s.pace(t, p) || t.client.Err() != nil {
		s.lost(t)
		return
	}
	s.stats.answered(p)
	body := p.body()
	if m.kind != "cut" {
		s.write(w, http.StatusOK, body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.Write(body[:int(float64(len(body))*m.share)])
	http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler) // closes the connection
}

// pace takes the time that the tokens take. An aborted answer is cut where it
// was; false when the client went away.
func (s *Server) pace(t *task, p *reply) bool {
	start := time.Now()
	longest := 0
	for _, a := range p.answers {
		longest = max(longest, len(a.tokens))
	}
	if sleep(t, time.Duration(longest)*s.config.TPOT) {
		return true
	}
	if !t.aborted() {
		return false
	}
	written := 0
	if s.config.TPOT > 0 {
		written = int(time.Since(start) / s.config.TPOT)
	}
	p.cut(written, "abort")
	return true
}

// stream writes events.
func (s *Server) stream(t *task, w http.ResponseWriter, p *reply, m misfortune) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	flush := http.NewResponseController(w).Flush
	total := p.length()
	last := total
	if m.kind == "cut" {
		last = int(float64(total) * m.share)
	}
	for step, event := range p.events() {
		if step >= last && m.kind == "cut" {
			flush()
			panic(http.ErrAbortHandler)
		}
		if paced := step > 0 && step < total; paced && !sleep(t, s.config.TPOT) {
			p.cut(step/len(p.answers)+1, "abort")
		}
		w.Write(event) // an error ends the client's context
		if t.Err() != nil && !t.aborted() {
			s.lost(t)
			return
		}
		if s.config.TPOT > 0 || step == 0 {
			flush()
		}
	}
	if t.client.Err() != nil {
		s.lost(t)
		return
	}
	s.stats.answered(p)
}
