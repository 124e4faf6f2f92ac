package main

import (
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// startProgress shows how far things are, where somebody looks or asks for it.
func (v *validator) startProgress() { v.meter = v.Meter("records", false, v.figures()) }

func (v *validator) showProgress() { v.meter.Update(v.figures(), time.Now()) }

func (v *validator) endProgress() {
	v.meter.Finish(v.figures(), time.Now())
	v.meter = nil
}

func (v *validator) figures() progress.Counts {
	return progress.Counts{Total: -1, Done: v.gate.all.passed, Failed: v.gate.all.failed, Tokens: -1}
}
