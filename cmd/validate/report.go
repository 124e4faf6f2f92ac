package main

import (
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
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
	if failed := v.settle(); failed != nil {
		return errors.Join(err, failed)
	}
	r, examples := v.gate.report()
	for _, what := range v.gate.lost(r) {
		v.Warn("%s", what)
	}
	if v.gate.isUngrouped() {
		v.Warn("--by: no record has a field %s", cmdline.Quote(v.config.by))
	}
	if n := v.gate.retried; n > 0 {
		v.Note("%s retried", counted(n, "attempt"))
	}
	if n := v.gate.probes; n > 0 {
		v.Note("%s passed over", counted(n, "probe"))
	}
	told, failed := v.report(r, examples)
	if failed != nil {
		return errors.Join(err, failed)
	}
	if told {
		return errors.Join(err, cmdline.Told(v.gate.verdict(r)))
	}
	if r.Gate == "pass" {
		v.Note("%s", r.Verdict())
	}
	return errors.Join(err, v.gate.verdict(r))
}

// settle finds what is missing. Whoever stopped early does not know.
func (v *validator) settle() error {
	if v.gate.stopped {
		if v.missing != nil {
			v.missing.Withdraw()
		}
		return nil
	}
	v.failures.settle(v.gate, v.account)
	if v.prompts == nil {
		return nil
	}
	return v.prompts.tellMissing(v.gate, v.account, v.failures.because(), v.missing)
}

// report writes the reports where they belong. As text on standard error the
// findings are messages, and the verdict is that of finish; told says that
// another format there holds it.
func (v *validator) report(r *report.Report, examples []example) (told bool, err error) {
	for _, to := range v.reports {
		if to.out == nil && to.format == "text" {
			if err := v.tell(r, examples); err != nil {
				return false, err
			}
			continue
		}
		text, err := render(to.format, r)
		if err != nil {
			return false, err
		}
		if to.out == nil {
			v.Last(text)
			told = true
		} else if _, err := to.out.Write(text); err != nil {
			return false, err
		}
	}
	return told, nil
}

func (v *validator) tell(r *report.Report, examples []example) error {
	if !v.Quiet() && !v.JSON() {
		if _, err := v.Err.Write(r.AppendTable(nil)); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
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
		v.Note("%s; --max-findings shows more", counted(n, "more finding"))
	}
	return nil
}
