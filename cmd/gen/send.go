package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// result is how one attempt ended.
type result struct {
	job       *scheduler.Job[*wanted]
	exchange  record.Exchange
	outcome   scheduler.Outcome
	verdict   endpoint.Verdict
	tokens    int64  // completion tokens, as the server counted
	line      []byte // the exchange of an answer, as it is archived; nil for a failure
	seen      seen
	part      record.Part // of an answer that is cut
	more      *wanted     // the request that goes on from it
	tokenless bool        // token ids were asked for and did not come
	next      *wanted     // the turn of the conversation that follows
	ended     error       // why none can
}

// send makes one attempt and judges it.
func (l *loop) send(ctx context.Context, job *scheduler.Job[*wanted]) result {
	w, server := job.Value, l.servers.at(job.Server)
	id, body, sent := newID("ex_"), w.body(), time.Now()
	reply := server.Do(ctx, endpoint.Request{Path: w.request.URL, Body: body, Stream: l.cfg.builder.Stream, RequestID: id})
	reply.Timing.Queued += sent.Sub(w.ready)
	r := result{job: job, exchange: record.Exchange{
		ID: id, Key: w.key, Attempt: job.Attempt, Part: w.part, Request: w.sentAs(body, reply.Sent),
		Response: reply.Response, Error: reply.Error,
		Server: server.Name(), Lane: l.cfg.lanes[w.lane].name, Started: reply.Started, Timing: reply.Timing,
		Run: l.id, Epoch: l.chronicle.epochs.of(job.Server), Meta: w.meta,
	}}
	l.judge(&r, &reply)
	if e := reply.Error; e != nil && e.Code == "context-overflow" && l.clamp(ctx, server, w, e.Message) {
		r.outcome, r.exchange.Dead = scheduler.Amended, false
	}
	if r.outcome == scheduler.Answered {
		r.line = r.exchange.AppendJSON(nil)
		r.seen = l.inspectors.look(r.line)
		if l.complete(&r) {
			r.line = r.exchange.AppendJSON(r.line[:0])
		} else {
			l.follow(&r)
		}
	}
	w.ready = time.Now()
	return r
}

// judge tells an answer from a failure, and what to do about the latter.
func (l *loop) judge(r *result, reply *endpoint.Reply) {
	if reply.Error == nil || mayBeWhole(reply) {
		e := l.read(r, reply)
		if e != nil { // the words of a server that may repeat the key
			e.Message = l.servers.at(r.job.Server).Hide(e.Message)
		}
		if e == nil || reply.Error == nil || saysWhy(e) {
			r.exchange.Error = e
		}
	}
	failure := r.exchange.Error
	if failure == nil {
		r.outcome = scheduler.Answered
		return
	}
	r.verdict = endpoint.Classify(reply.Status(), reply.RetryAfter, failure.Code)
	switch v := r.verdict; {
	case reply.Suspended > 0 && reply.Status() < 300 && v.Retry:
		r.outcome = scheduler.Interrupted // this process stood still: no fault of the server
	case v.Stop || failure.Code == "aborted":
		r.outcome = scheduler.Dropped
	case v.Dead:
		r.outcome, r.exchange.Dead = scheduler.Dead, true
	case v.SlowDown:
		r.outcome = scheduler.SlowDown
	default:
		r.outcome = scheduler.Failed
	}
}

// mayBeWhole reports whether an answer may have come to its end although its
// connection did not: a stream says itself that it has ended.
func mayBeWhole(reply *endpoint.Reply) bool {
	return reply.Status()/100 == 2 && strings.HasPrefix(reply.ContentType(), "text/event-stream")
}

// saysWhy reports whether a failure has words of the server itself. That its
// connection broke behind them tells less.
func saysWhy(e *record.Error) bool { return e.Code == "stream.error" || e.Code == "context-overflow" }

// read looks into a whole response: a status of 200 is no answer yet.
func (l *loop) read(r *result, reply *endpoint.Reply) *record.Error {
	parser, _ := l.parsers.Get().(*response.Parser)
	if parser == nil {
		parser = new(response.Parser)
	}
	defer l.parsers.Put(parser)
	answer, err := parser.Body(reply.Response.Raw, reply.Status(), reply.ContentType())
	switch {
	case err != nil:
		return &record.Error{Code: "body.not-completion", Message: err.Error()}
	case answer.Failure != nil:
		return &record.Error{Code: answer.Failure.Code, Message: answer.Failure.Message}
	}
	l.cutPart(r, answer)
	r.tokens = max(answer.Usage.Completion, 0)
	r.tokenless = l.cfg.builder.TokenIDs && answer.Choices[0].TokenIDs == nil
	return nil
}

// cause says in one line why an attempt failed.
func (r *result) cause() string {
	e := r.exchange.Error
	s := e.Code
	if e.Message != "" {
		s += ": " + e.Message
	}
	if r.exchange.Attempt > 1 {
		s += fmt.Sprintf(" (attempt %d)", r.exchange.Attempt)
	}
	return s
}

// refusal is the end of a run whose server takes no requests like ours.
func (r *result) refusal(server *endpoint.Endpoint) error {
	hint := refusalHint(server, r.exchange.Response.Status, r.exchange.Request.URL)
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, fmt.Errorf("%s refuses: %s", server.Name(), r.cause())), hint)
}
