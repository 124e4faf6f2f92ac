package main

import (
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/report"
)

// reportFlag is one --report and where it goes, "" for standard error.
type reportFlag struct{ format, file string }

// reportTo is a report's file.
type reportTo struct {
	format string
	out    *cmdline.Output // nil for standard error
}

// formats are those of --report.
var formats = []string{"text", "json", "junit", "github", "html"}

// setReports pairs each --report with the --report-file of the same place; what
// has no file goes to standard error.
func (c *config) setReports(s *cmdline.Session) error {
	kinds, files := s.StringSlice("report"), s.StringSlice("report-file")
	for _, kind := range kinds {
		if !slices.Contains(formats, kind) {
			return cmdline.Usagef("--report: %s is not one of text, json, junit, github, html", cmdline.Quote(kind))
		}
	}
	switch n := max(1, len(kinds)); {
	case len(files) > n:
		return cmdline.Usagef("%d --report-file and %d --report: each report goes to one file", len(files), n)
	case n > len(files)+1:
		return cmdline.Usagef("%d --report and %d --report-file: one report goes to standard error", n, len(files))
	}
	for i := range max(1, len(kinds)) {
		f := reportFlag{format: "text"}
		if i < len(kinds) {
			f.format = kinds[i]
		}
		if i < len(files) {
			f.file = files[i]
		}
		if slices.ContainsFunc(c.reports, func(other reportFlag) bool {
			return f.file != "" && f.file != "-" && other.file != "" && other.file != "-" && cmdline.SamePath(f.file, other.file)
		}) {
			return cmdline.Usagef("--report-file %s is there twice", cmdline.Quote(f.file))
		}
		c.reports = append(c.reports, f)
		c.charts = c.charts || f.format == "html"
	}
	c.policy.Excerpts = c.charts
	return nil
}

func openReports(s *cmdline.Session, flags []reportFlag) (reports []reportTo, err error) {
	for _, f := range flags {
		out, err := open(s, f.file)
		if err != nil {
			return nil, err
		}
		reports = append(reports, reportTo{f.format, out})
	}
	return reports, nil
}

// render makes a report in a format.
func render(format string, r *report.Report) ([]byte, error) {
	switch format {
	case "json":
		return r.AppendJSON(nil), nil
	case "junit":
		return r.AppendJUnit(nil), nil
	case "github":
		return r.AppendGitHub(nil), nil
	case "html":
		page, err := r.AppendHTML(nil)
		if err != nil {
			err = fmt.Errorf("the HTML report: %w", err)
		}
		return page, err
	}
	return r.AppendText(nil), nil
}
