package monitor

// AppendMetrics appends the figures in the text format of Prometheus, version
// 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/). Counts
// are those of the archive, as on the page. -1, not known, is left out.
func (f *Figures) AppendMetrics(dst []byte) []byte {
	e := exposition{text: dst}
	e.family("thinkpipe_run_info", "gauge", "The run, always 1.")
	e.sample("", 1, "run", f.Run, "version", f.Version, "model", f.Model, "archive", f.Archive)
	e.family("thinkpipe_run_state", "gauge", "1 for the state that the run is in.")
	for _, s := range []State{Running, Probing, Paused, Draining, Finished, Stopped} {
		e.sample("", one(f.State == s), "state", string(s))
	}
	e.one("thinkpipe_start_time_seconds", "gauge", "When the run began, in seconds since 1970.", float64(f.Started.UnixMilli())/1000)
	e.prompts(f)
	e.requests(f)
	e.one("thinkpipe_eta_seconds", "gauge", "Time left, tail included.", f.Rates.ETA)
	e.one("thinkpipe_oldest_request_seconds", "gauge", "Age of the oldest request in flight.", f.Oldest.Age)
	e.lanes(f)
	e.parts("server", "server", f.Servers)
	e.parts("group", f.By, f.Groups)
	e.histogram("thinkpipe_answer_seconds", "How long complete answers took.", &f.latency)
	e.histogram("thinkpipe_client_lag_seconds", "How late gen itself was.", &f.lag)
	return e.text
}

func (e *exposition) prompts(f *Figures) {
	e.family("thinkpipe_wanted", "gauge", "Wanted answers by what became of them.")
	for _, s := range []struct {
		state string
		n     int64
	}{{"done", f.Done}, {"failed", f.Failed}, {"dead", f.Dead}, {"bad", f.Bad}, {"pending", f.Pending}} {
		e.sample("", float64(s.n), "state", s.state)
	}
	e.one("thinkpipe_wanted_in", "gauge", "Wanted answers that came in.", float64(f.In))
	e.one("thinkpipe_wanted_expected", "gauge", "Wanted answers of the whole input.", float64(f.Total))
}

func (e *exposition) requests(f *Figures) {
	e.one("thinkpipe_requests_total", "counter", "Requests of this run in the archive.", float64(f.Requests))
	e.one("thinkpipe_requests_retried_total", "counter", "Requests that another followed: failed ones, and parts of answers.", float64(f.Retried))
	e.one("thinkpipe_answers_total", "counter", "Complete answers.", float64(f.Answers))
	e.one("thinkpipe_completion_tokens_total", "counter", "Tokens of the answers, as servers counted.", float64(f.Tokens))
	e.byName("thinkpipe_failed_requests_total", "Failed requests.", "class", f.Codes)
	e.byName("thinkpipe_answers_by_reasoning_status_total", "Complete answers.", "reasoning_status", f.Shares.Status)
	e.one("thinkpipe_answers_without_thinking_total", "counter", "Answers without a character of thinking.", float64(f.Shares.Without))
	e.byName("thinkpipe_answers_failing_total", "Answers that a rule of validate fails.", "rule", f.Rules)
}

func (e *exposition) lanes(f *Figures) {
	e.family("thinkpipe_lane_slots", "gauge", "Requests that a lane may have in flight.")
	for _, l := range f.Lanes {
		e.sample("", float64(l.Slots), "lane", l.Name)
	}
	e.family("thinkpipe_lane_in_flight", "gauge", "Requests in flight.")
	for _, l := range f.Lanes {
		e.sample("", float64(l.InFlight), "lane", l.Name)
	}
}

// parts are the counts of servers or groups.
func (e *exposition) parts(name, label string, rows []Row) {
	if len(rows) == 0 {
		return
	}
	label = labelName(label)
	for _, m := range []struct {
		name, kind, help string
		value            func(*Row) int64
	}{
		{"requests_total", "counter", "Requests of this run in the archive.", func(r *Row) int64 { return r.Requests }},
		{"failed_requests_total", "counter", "Failed requests.", func(r *Row) int64 { return r.Failures }},
		{"answers_total", "counter", "Complete answers.", func(r *Row) int64 { return r.Answers }},
		{"answers_without_thinking_total", "counter", "Answers without a character of thinking.", func(r *Row) int64 { return r.Without }},
		{"completion_tokens_total", "counter", "Tokens of the answers, as servers counted.", func(r *Row) int64 { return r.Tokens }},
		{"in_flight", "gauge", "Requests in flight.", func(r *Row) int64 { return r.InFlight }},
	} {
		e.family("thinkpipe_"+name+"_"+m.name, m.kind, m.help)
		for i := range rows {
			e.sample("", float64(m.value(&rows[i])), label, rows[i].Name)
		}
	}
}

func (e *exposition) byName(name, help, label string, counts map[string]int64) {
	e.family(name, "counter", help)
	for _, key := range byCount(counts) {
		e.sample("", float64(counts[key]), label, key)
	}
}

func (e *exposition) histogram(name, help string, h *Histogram) {
	e.family(name, "histogram", help)
	var n int64
	for i := range buckets - 1 {
		n += h.counts[i]
		if i%perOctave == 0 {
			e.sample("_bucket", float64(n), "le", number(bound(i)))
		}
	}
	e.sample("_bucket", float64(h.count), "le", "+Inf")
	e.sample("_sum", h.sum.Seconds())
	e.sample("_count", float64(h.count))
}

// one is a family of one sample, left out when it is not known.
func (e *exposition) one(name, kind, help string, value float64) {
	if value >= 0 {
		e.family(name, kind, help)
		e.sample("", value)
	}
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
