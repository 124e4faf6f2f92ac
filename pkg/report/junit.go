package report

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// The JUnit report has a suite for the gate, with a test case for each rule, and
// a suite for each group with those that hit it. A case fails when its rule is
// beyond its limit; what is within stands in its output. It follows the schema
// of Jenkins (jenkinsci/xunit-plugin, junit-10.xsd), which GitLab reads, too.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// AppendJUnit appends the report as JUnit's XML, for the test pages of GitLab,
// Jenkins and others. Characters that XML cannot hold become U+FFFD.
func (r *Report) AppendJUnit(dst []byte) []byte {
	all := junitSuites{Name: "validate", Suites: []junitSuite{r.suite()}}
	for _, g := range r.Groups {
		all.Suites = append(all.Suites, r.groupSuite(&g))
	}
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
	}
	b, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		panic("report: " + err.Error()) // no type in it can fail
	}
	return append(append(append(dst, xml.Header...), b...), '\n')
}

func (r *Report) suite() junitSuite {
	s := newSuite("validate", r.Records, r.Passed, r.Failed)
	gate := junitCase{Name: "gate", Class: "validate"}
	if r.Gate == "fail" {
		gate.Failure = &junitFailure{Message: clean(r.Verdict()), Type: "gate", Text: "\n" + clean(strings.Join(r.Why, "; ")) + "\n"}
	}
	s.add(gate)
	for i := range r.Rules {
		s.add(r.junitCase(&r.Rules[i], "validate"))
	}
	return s
}

func (r *Report) groupSuite(g *Group) junitSuite {
	name := clean(strings.TrimSpace(r.By + " " + g.Name))
	s := newSuite(name, g.Records, g.Passed, g.Failed)
	for i := range g.Rules {
		s.add(junitCaseOf(&g.Rules[i], "validate."+strings.ReplaceAll(name, ".", "_"), ""))
	}
	if len(s.Cases) == 0 {
		s.add(junitCase{Name: "no findings", Class: "validate." + strings.ReplaceAll(name, ".", "_")})
	}
	return s
}

func newSuite(name string, records, passed, failed int64) junitSuite {
	s := junitSuite{Name: name}
	for _, p := range []struct {
		name string
		n    int64
	}{{"records", records}, {"passed", passed}, {"failed", failed}} {
		s.Properties = append(s.Properties, junitProperty{p.name, fmt.Sprint(p.n)})
	}
	return s
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
}

// junitCase is a rule with its examples.
func (r *Report) junitCase(rule *Rule, class string) junitCase {
	var lines strings.Builder
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == rule.Name && f.Level == rule.Level {
			lines.Write(f.appendText(nil))
		}
	}
	return junitCaseOf(rule, class, lines.String())
}

func junitCaseOf(rule *Rule, class, examples string) junitCase {
	c := junitCase{Name: rule.Name, Class: class}
	if rule.Level == "warn" { // the same rule may have a row of the other level
		c.Name += " (warn)"
	}
	found := fmt.Sprintf("%s, %s", plural(rule.Count, "finding"), percent(rule.Rate))
	if !rule.NoLimit {
		found += ", limit " + rule.limit()
	}
	switch {
	case rule.Exceeded:
		c.Failure = &junitFailure{Message: found, Type: rule.Name, Text: "\n" + rule.Meaning + "\n" + examples}
	case rule.Count > 0:
		c.Output = "\n" + found + "\n" + examples
	}
	return c
}
