package report

import (
	"encoding/json"
	"math"
)

// The JSON report's shape is a contract: every key is always there, lists are
// never null. Readers must not rely on the order of keys.
type jsonReport struct {
	Records  int64         `json:"records"`
	Passed   int64         `json:"passed"`
	Failed   int64         `json:"failed"`
	Gate     string        `json:"gate"`
	Rules    []jsonRule    `json:"rules"`
	Groups   []jsonGroup   `json:"groups"`
	Findings []jsonFinding `json:"findings"`
}

type jsonRule struct {
	Rule  string   `json:"rule"`
	Level string   `json:"level"`
	Count int64    `json:"count"`
	Rate  float64  `json:"rate"`
	Limit *float64 `json:"limit"`
}

type jsonGroup struct {
	Group   string     `json:"group"`
	Records int64      `json:"records"`
	Passed  int64      `json:"passed"`
	Failed  int64      `json:"failed"`
	Rules   []jsonRule `json:"rules"`
}

type jsonFinding struct {
	Rule   string `json:"rule"`
	Level  string `json:"level"`
	ID     string `json:"id"`
	Sample int    `json:"sample"`
	Choice int    `json:"choice"`
	File   string `json:"file"`
	Line   int64  `json:"line"`
	Detail string `json:"detail"`
}

// AppendJSON appends the report as one JSON object and a newline. Texts that
// are not UTF-8 have U+FFFD for the bytes that are none.
func (r *Report) AppendJSON(dst []byte) []byte {
	j := jsonReport{r.Records, r.Passed, r.Failed, r.Gate, jsonRules(r.Rules), []jsonGroup{}, []jsonFinding{}}
	for _, g := range r.Groups {
		j.Groups = append(j.Groups, jsonGroup{g.Name, g.Records, g.Passed, g.Failed, jsonRules(g.Rules)})
	}
	for _, f := range r.Findings {
		j.Findings = append(j.Findings, jsonFinding{f.Rule, f.Level, f.ID, f.Sample, f.Choice, f.File, f.Line, f.Detail})
	}
	b, err := json.Marshal(j)
	if err != nil {
		panic("report: " + err.Error()) // no type in it can fail
	}
	return append(append(dst, b...), '\n')
}

func jsonRules(rules []Rule) []jsonRule {
	out := []jsonRule{}
	for i := range rules {
		r := &rules[i]
		j := jsonRule{Rule: r.Name, Level: r.Level, Count: r.Count, Rate: finite(r.Rate)}
		if !r.NoLimit {
			limit := finite(r.Limit)
			j.Limit = &limit
		}
		out = append(out, j)
	}
	return out
}

// finite is f where JSON can say it: a share of no records is none.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}
