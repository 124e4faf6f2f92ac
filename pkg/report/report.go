package report

// Report is one run of a gate.
type Report struct {
	Records, Passed, Failed int64
	Gate                    string    // "pass" or "fail"
	Why                     []string  // in plain words, what the gate fails for; text only
	Rules                   []Rule    // in the order in which JSON has them
	Groups                  []Group   // the same tallies for parts of the records
	Findings                []Finding // examples, perhaps fewer than were counted
}

// Rule is the tally of one rule at one level.
type Rule struct {
	Name  string  // "empty-reasoning"
	Level string  // "fail", "warn"
	Count int64   // findings, one per record at most
	Rate  float64 // Count as a share of the records, 0 to 1
	Limit float64 // what the gate takes: a share below 1 or a count
	// NoLimit says that no count of this rule fails the gate: null in JSON.
	NoLimit bool
}

// Group is a part of the records, by the value of a field.
type Group struct {
	Name                    string
	Records, Passed, Failed int64
	Rules                   []Rule
}

// Finding is one record that a rule hit.
type Finding struct {
	Rule, Level    string
	ID             string // "" for none
	Sample, Choice int
	File           string
	Line           int64 // from 1; 0 when there is no line
	Detail         string
}
