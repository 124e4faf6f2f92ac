package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // page.html and style.css
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode"
)

//go:embed page.html
var pageText string

//go:embed style.css
var styleText string

// mostHeat is how many groups stand beside each other in the table of rules by
// groups: those that fail most.
const mostHeat = 12

// page is what page.html shows.
type page struct {
	*Report
	Style   template.CSS
	Policy  string // Content-Security-Policy
	Verdict string
	Found   []Rule // the rules that found something, worst first
	Quiet   []Rule // the others
	Heat    []Group
	Lines   []heatLine
	Charts  []chart
	Ends    []ending
	Sets    []exampleSet
}

// ending is a row of the chart of finish reasons.
type ending struct {
	Name  string
	N     int64
	Share string
	Width float64 // 0 to 100
}

// heatLine is a rule's row in the table of groups.
type heatLine struct {
	Name, Level string
	Cells       []heatCell
}

type heatCell struct {
	Count   int64
	Percent string
	Class   string // "h0" to "h5"
	Over    bool
}

// exampleSet are the examples of one rule.
type exampleSet struct {
	Rule     Rule
	Open     bool
	Findings []Finding
}

// AppendHTML appends the report as one page that needs nothing else: no script,
// no picture, no font, and a policy that lets it load none. Everything that comes
// from data is escaped; characters that a reader would not see, such as those
// that turn the direction of writing, are shown by their code.
func (r *Report) AppendHTML(dst []byte) ([]byte, error) {
	t, err := template.New("page").Funcs(template.FuncMap{
		"percent": percent, "thousands": thousands, "plural": plural, "visible": visible, "limit": (*Rule).limit, "place": place, "ends": ends,
	}).Parse(pageText)
	if err != nil {
		return dst, err
	}
	hash := sha256.Sum256([]byte(styleText))
	p := page{
		Report: r, Style: template.CSS(styleText),
		Policy:  "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'",
		Verdict: r.Verdict(), Found: r.worstFirst(),
	}
	for _, rule := range r.Rules {
		if rule.Count == 0 {
			p.Quiet = append(p.Quiet, rule)
		}
	}
	p.addHeat()
	p.addCharts()
	p.addExamples()
	var b bytes.Buffer
	err = t.Execute(&b, &p)
	return append(dst, b.Bytes()...), err
}

// addHeat makes the table of rules by groups, without rules that found nothing
// in those that are shown.
func (p *page) addHeat() {
	p.Heat = p.Groups[:min(mostHeat, len(p.Groups))]
	for _, rule := range p.Found {
		line := heatLine{Name: rule.Name, Level: rule.Level}
		for _, g := range p.Heat {
			line.Cells = append(line.Cells, g.cell(&rule))
		}
		if slices.ContainsFunc(line.Cells, func(c heatCell) bool { return c.Count > 0 }) {
			p.Lines = append(p.Lines, line)
		}
	}
}

func (g *Group) cell(rule *Rule) heatCell {
	i := slices.IndexFunc(g.Rules, func(r Rule) bool { return r.Name == rule.Name && r.Level == rule.Level })
	if i < 0 {
		return heatCell{Class: "h0"}
	}
	r := &g.Rules[i]
	class := 0
	for _, share := range []float64{0, 0.01, 0.05, 0.2, 0.5} {
		if r.Rate > share {
			class++
		}
	}
	return heatCell{r.Count, percent(r.Rate), fmt.Sprintf("h%d", class), r.Exceeded}
}

func (p *page) addCharts() {
	for i := range p.Report.Charts.Lengths {
		p.Charts = append(p.Charts, p.Report.Charts.Lengths[i].chart())
	}
	if len(p.Report.Charts.Timeline) > 0 {
		p.Charts = append(p.Charts, p.Report.Charts.timeline())
	}
	all, most := int64(0), int64(1)
	for _, f := range p.Report.Charts.Finishes {
		all, most = all+f.N, max(most, f.N)
	}
	for _, f := range p.Report.Charts.Finishes {
		p.Ends = append(p.Ends, ending{f.Name, f.N, percent(float64(f.N) / float64(all)), round(100 * float64(f.N) / float64(most))})
	}
}

// addExamples groups the findings by rule, the worst rule open.
func (p *page) addExamples() {
	for _, rule := range p.Found {
		set := exampleSet{Rule: rule}
		for _, f := range p.Findings {
			if f.Rule == rule.Name && f.Level == rule.Level {
				set.Findings = append(set.Findings, f)
			}
		}
		if len(set.Findings) > 0 {
			set.Open = len(p.Sets) == 0
			p.Sets = append(p.Sets, set)
		}
	}
}

// place is where a finding is: file:line, without what a browser would not show.
func place(f Finding) string {
	if f.File == "" {
		return ""
	}
	return visible(fmt.Sprintf("%s:%d", f.File, f.Line))
}

// visible shows by its code what a browser would drop, obey or not show: control
// and format characters, and bytes that are no text.
func visible(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		if r == '\n' || r == '\t' || r == ' ' || r == '\u202f' || unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "⟨U+%04X⟩", r)
	}
	return b.String()
}
