package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// mostClamps of one answer: servers count in ways of their own, one token more or
// less, but not for ever.
const mostClamps = 3

// body is what is to be sent: the request, with fewer tokens once it was clamped.
func (w *wanted) body() []byte {
	if w.clamped == 0 {
		return w.request.Body
	}
	return prompt.WithMaxTokens(w.request.Body, w.clamped)
}

// sentAs is the request as it was sent: body, or named when the server got it with
// a name. The fingerprint stays that of the request that was to be sent: it is what
// a resumed run compares.
func (w *wanted) sentAs(body, named []byte) record.Request {
	r := w.request
	if named != nil {
		body = named
	} else if w.clamped == 0 {
		return r
	}
	if w.clamped > 0 {
		r.ClampedFrom = w.most
	}
	sum := sha256.Sum256(body)
	r.Body, r.SHA256, r.Fingerprint = body, hex.EncodeToString(sum[:]), r.SHA256
	return r
}

// clamp makes a request that does not fit the context ask for as many tokens as
// are left, and reports whether that can help.
func (l *loop) clamp(ctx context.Context, e *endpoint.Endpoint, w *wanted, words string) bool {
	asked := cmp.Or(w.clamped, w.most)
	if !l.cfg.clamp || l.cfg.attempts == 1 || w.clamps == mostClamps || asked < 2 {
		return false
	}
	limit, used, ok := endpoint.OverflowLimit(words)
	if !ok { // vLLM tells no count
		limit, used, ok = e.CountTokens(ctx, w.request.Body)
	}
	room := min(int64(limit-used), asked-1) // some want a token to be left
	if !ok || room < 1 {
		return false
	}
	w.clamped = room
	w.clamps++
	return true
}

// adviseClamp says once that a dead one would fit with fewer tokens for its answer.
func (l *loop) adviseClamp(r *result) {
	if l.cfg.clamp || l.cfg.attempts == 1 || l.advised || r.outcome != scheduler.Dead || r.exchange.Error.Code != "context-overflow" {
		return
	}
	if limit, used, ok := endpoint.OverflowLimit(r.exchange.Error.Message); ok && used < limit {
		l.advised = true
		advice := "--clamp-max-tokens asks for those that are left"
		if l.cfg.archive != "" { // which a later run resumes
			advice += ", with --retry context-overflow of dead ones, too"
		}
		l.s.Note("the prompt fits, with fewer tokens for its answer: %s", advice)
	}
}
