package main

import (
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/report"
)

// finish settles what shows at the end, reports and decides. A run that could
// not go on has no verdict, unless it is the input that ended too early.
func (v *validator) finish(err error) error {
	v.endProgress()
	var damage *jsonl.DamageError
	v.gate.damaged = errors.As(err, &damage)
	if err != nil && !v.gate.damaged {
		return err
	}
	if !v.gate.stopped {
		if failed := v.settle(); failed != nil {
			return errors.Join(err, failed)
		}
	}
	r, examples := v.gate.report()
	if failed := v.report(r, examples); failed != nil {
		return errors.Join(err, failed)
	}
	if r.Gate == "pass" {
		v.Note("%s", r.Verdict())
	}
	return errors.Join(err, v.gate.verdict(r))
}

func (v *validator) settle() error {
	v.failures.settle(v.gate, v.account)
	if v.prompts == nil {
		return nil
	}
	return v.prompts.tellMissing(v.gate, v.account, v.failures.because(), v.missing)
}

// report writes the report where it belongs. On standard error its findings are
// messages, and the verdict is that of finish.
func (v *validator) report(r *report.Report, examples []example) error {
	var text []byte
	switch {
	case v.config.json:
		text = r.AppendJSON(nil)
	case v.reportFile != nil:
		text = r.AppendText(nil)
	case !v.Quiet() && !v.JSON():
		text = r.AppendTable(nil)
	}
	if v.reportFile != nil {
		_, err := v.reportFile.Write(text)
		return err
	}
	if _, err := v.Err.Write(text); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if !v.config.json {
		v.tell(r, examples)
	}
	return nil
}

func (v *validator) tell(r *report.Report, examples []example) {
	for i := range examples {
		e := &examples[i]
		if e.pos.File == "" { // one of very many, see failures
			v.Warn("%s", e.String())
			continue
		}
		level := "error"
		if e.Level == check.Warn.String() {
			level = "warning"
		}
		v.Tell(level, e.pos, e.ID, e.String())
	}
	if n := r.Unshown(); n > 0 {
		v.Note("%d more findings; --max-findings shows more", n)
	}
}
