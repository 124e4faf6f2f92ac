package monitor

import (
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// parseMetrics reads metrics as Prometheus does.
func parseMetrics(t *testing.T, text []byte) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(string(text)))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return families
}

func TestMetrics(t *testing.T) {
	f := busy().Figures(live(107), at(120))
	families := parseMetrics(t, f.AppendMetrics(nil))
	sum := func(name string, want float64) {
		t.Helper()
		family := families[name]
		if family == nil {
			t.Errorf("no %s", name)
			return
		}
		var got float64
		for _, m := range family.Metric {
			got += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
		if got != want {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	sum("thinkpipe_run_info", 1)
	sum("thinkpipe_run_state", 1)
	sum("thinkpipe_wanted", 120)
	sum("thinkpipe_requests_total", 119)
	sum("thinkpipe_requests_retried_total", 12)
	sum("thinkpipe_failed_requests_total", 12)
	sum("thinkpipe_answers_total", 107)
	sum("thinkpipe_answers_by_reasoning_status_total", 107)
	sum("thinkpipe_answers_without_thinking_total", 12)
	sum("thinkpipe_completion_tokens_total", 10700)
	sum("thinkpipe_lane_slots", 10)
	sum("thinkpipe_lane_in_flight", 1)
	sum("thinkpipe_server_answers_total", 107)
	sum("thinkpipe_group_answers_total", 107)
	sum("thinkpipe_answer_seconds", 107)
	sum("thinkpipe_client_lag_seconds", 119)
	for name, family := range families {
		counter := family.GetType() == dto.MetricType_COUNTER
		if !strings.HasPrefix(name, "thinkpipe_") || counter != strings.HasSuffix(name, "_total") || family.GetHelp() == "" {
			t.Errorf("%s, %v, %q", name, family.GetType(), family.GetHelp())
		}
	}
	if name := families["thinkpipe_group_answers_total"].Metric[0].Label[0].GetName(); name != "dataset" {
		t.Errorf("groups are told apart by %s", name)
	}
}

// Whatever prompts and servers are called, the text can be read and says so.
func FuzzMetrics(f *testing.F) {
	f.Add("dataset", "gsm8k")
	f.Add("", "")
	f.Add("__name__", "a\"b\\n\\\nc")
	f.Add("data set", "\xff\x00\u2028")
	f.Add("le", "} 1\n# TYPE x counter")
	f.Fuzz(func(t *testing.T, by, value string) {
		b := NewBook(About{Run: value, Model: value, Archive: value}, []string{value}, by, epoch)
		b.Wanted(0, value, 1)
		b.Kept(&Attempt{Server: value, Group: value, Code: value, At: epoch})
		b.Kept(&Attempt{Server: value, Group: value, Status: value, Rules: []string{value}, At: epoch})
		families := parseMetrics(t, b.Figures(Live{Slots: []int{1}, State: Running}, epoch).AppendMetrics(nil))
		want := strings.ToValidUTF8(value, "\ufffd")
		if got := families["thinkpipe_lane_slots"].Metric[0].Label[0].GetValue(); got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}
