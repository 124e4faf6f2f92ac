package monitor

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// view is what the page's template is given: figures and how they are said.
type view struct {
	*Figures
	Title, Name, Stamp      string
	Icon                    template.URL
	AboutLine               []string
	Mood, Verdict, Left     string
	Reasons                 []string
	Notes                   string
	Bar                     bar
	Charts                  []chart
	GroupTable, ServerTable []tableRow
}

// bar is the progress bar, in thousandths of its width.
type bar struct {
	Label                      string
	Done, Failed, Over, Flying int64
}

// tableRow is a Row and how it is said.
type tableRow struct {
	Row
	Lost         int64 // failed and dead
	WithoutShare string
	Mood         string
}

// words are the functions of the template.
func words() template.FuncMap {
	return template.FuncMap{
		"clock": func(t time.Time) string { return t.UTC().Format("15:04:05 UTC") },
		"span":  span, "tokens": thousands, "status": statusMood,
	}
}

// site is what the page is made of. It may be used by many at once.
type site struct{ page *template.Template }

func newSite() *site {
	return &site{template.Must(template.New("page.html").Funcs(words()).ParseFS(files, "page/page.html"))}
}

// appendPage appends the whole page: HTML that needs page.css, and page.js to live.
func (s *site) appendPage(dst []byte, f *Figures) []byte {
	b := bytes.NewBuffer(dst)
	if err := s.page.Execute(b, f.view()); err != nil {
		panic("monitor: the page's template: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}

func (f *Figures) view() *view {
	v := &view{
		Figures: f, Name: cmp.Or(filepath.Base(strings.TrimSuffix(f.Archive, "/")), "gen"), Stamp: f.Updated.Format(time.RFC3339),
		Left: f.left(), Bar: f.bar(), Charts: f.charts(), Notes: f.notes(),
		GroupTable: table(f.Groups), ServerTable: table(f.Servers),
	}
	if f.Archive == "" {
		v.Name = "gen to standard output"
	}
	v.Title = fmt.Sprintf("%s (%s)", v.Name, f.State)
	if f.Total > 0 {
		v.Title = fmt.Sprintf("%d%% %s", 100*f.settled()/f.Total, v.Title)
	}
	v.AboutLine = f.aboutLine()
	v.Mood, v.Verdict = f.verdict()
	if f.Why != "" {
		v.Reasons = strings.Split(f.Why, "\n")
	}
	v.Icon = icon(f.State, v.Mood)
	return v
}

// settled is how many wanted answers need nothing more.
func (f *Figures) settled() int64 { return f.Done + f.Failed + f.Dead + f.Bad }

func (f *Figures) aboutLine() []string {
	line := []string{}
	for _, s := range []string{f.Model, f.Run} {
		if s != "" {
			line = append(line, s)
		}
	}
	return append(line, fmt.Sprintf("process %d on %s", f.PID, f.Host),
		f.Started.UTC().Format("since 2006-01-02 15:04 UTC"), "for "+span(f.Rates.Took))
}

// verdict says how a run ended.
func (f *Figures) verdict() (mood, text string) {
	switch {
	case !f.Over:
		return "", ""
	case f.State == Finished && f.Exit == 0:
		return "", "All done: every prompt has its answer (exit 0)."
	case f.State == Finished:
		return "bad", fmt.Sprintf("Ran to the end, but not all is well (exit %d).", f.Exit)
	}
	return "bad", fmt.Sprintf("Stopped before the end (exit %d).", f.Exit)
}

func (f *Figures) left() string {
	switch {
	case f.Over:
		return "took " + span(f.Rates.Took)
	case f.State != Running:
		return string(f.State)
	case f.Rates.ETA < 0:
		return "ETA unknown"
	}
	return "ETA " + span(f.Rates.ETA)
}

func (f *Figures) bar() bar {
	all := max(f.Total, f.In, 1)
	var flying int64
	for _, l := range f.Lanes {
		flying += int64(l.InFlight)
	}
	b := bar{Done: 1000 * f.Done / all, Over: 1000 * f.settled() / all}
	b.Failed = b.Over - b.Done
	b.Flying = min(1000-b.Over, (1000*flying+all-1)/all)
	b.Label = fmt.Sprintf("%d %% settled", b.Over/10)
	return b
}

// notes say where the thinking was and what validate would find.
func (f *Figures) notes() string {
	parts := []string{}
	if len(f.Shares.Status) > 0 {
		parts = append(parts, "Thinking: "+list(f.Shares.Status)+".")
	}
	if len(f.Rules) > 0 {
		parts = append(parts, "Findings: "+list(f.Rules)+".")
	}
	return strings.Join(parts, " ")
}

// list says counts by name, the largest first: "41 http.429, 3 timeout.idle".
func list(counts map[string]int64) string {
	names := byCount(counts)
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	return strings.Join(names, ", ")
}

func byCount(counts map[string]int64) []string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return names
}

func table(all []Row) []tableRow {
	out := make([]tableRow, len(all))
	for i, r := range all {
		s := share(r.Without, r.Answers)
		out[i] = tableRow{Row: r, Lost: r.Failed + r.Dead, WithoutShare: percent(s), Mood: shareMood(s)}
	}
	return out
}

// shareMood is how much attention a share of answers without thinking deserves.
func shareMood(s float64) string {
	switch {
	case s > 0.5:
		return "bad"
	case s > 0.05:
		return "warn"
	}
	return ""
}

// statusMood is the same for one answer's reasoning_status.
func statusMood(status string) string {
	switch status {
	case "missing":
		return "bad"
	case "suspect", "truncated":
		return "warn"
	}
	return ""
}

// icon is a dot whose color says the state, for a tab among many.
func icon(s State, mood string) template.URL {
	color := "%232e8555"
	switch {
	case mood == "bad":
		color = "%23c0392b"
	case s == Paused || s == Draining:
		color = "%23b26a00"
	case s == Finished:
		color = "%232f6fb2"
	}
	return template.URL("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='" + color + "'/%3E%3C/svg%3E")
}

// span is a duration in seconds as the line of progress says it, short ones with a
// digit more: they are compared here.
func span(s float64) string {
	switch {
	case s < 0:
		return "–"
	case s >= 0.9995 && s < 9.95:
		return fmt.Sprintf("%.1fs", s)
	}
	return progress.Duration(seconds(s))
}

func percent(s float64) string {
	if s < 0 {
		return "–"
	}
	return progress.Percent(s)
}

func amount(x float64) string {
	if x < 0 {
		return "–"
	}
	return progress.Amount(x)
}

// thousands is a large count in three digits: 999, 1.23k, 45.6M.
func thousands(n int64) string {
	x := float64(n)
	for _, unit := range []string{"", "k", "M", "G"} {
		switch {
		case unit == "" && x < 1000:
			return fmt.Sprint(n)
		case x < 9.995:
			return fmt.Sprintf("%.2f%s", x, unit)
		case x < 99.95:
			return fmt.Sprintf("%.1f%s", x, unit)
		case x < 999.5 || unit == "G":
			return fmt.Sprintf("%.0f%s", x, unit)
		}
		x /= 1000
	}
	return fmt.Sprint(n)
}
