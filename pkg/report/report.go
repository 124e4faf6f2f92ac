package report

// Report is one run of a gate.
type Report struct {
	Records, Passed, Failed int64
	Gate                    string    // "pass" or "fail"
	Why                     []string  // in plain words, what the gate fails for; not in JSON
	Rules                   []Rule    // in the order in which JSON has them
	Groups                  []Group   // the same tallies for parts of the records
	Findings                []Finding // examples, perhaps fewer than were counted

	By     string // what groups are the values of; not in JSON
	Charts Charts // of HTML only
}

// Rule is the tally of one rule at one level.
type Rule struct {
	Name    string  // "empty-reasoning"
	Meaning string  // one line; JUnit and HTML only
	Level   string  // "fail", "warn"
	Count   int64   // findings, one per record at most
	Rate    float64 // Count as a share of the records, 0 to 1
	Limit   float64 // what the gate takes: a share below 1 or a count
	// NoLimit says that no count of this rule fails the gate: null in JSON.
	NoLimit bool
	// Exceeded says that there are more findings than the limit; not in JSON.
	Exceeded bool
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
	Excerpt        Excerpt // HTML only
}

// Excerpt is the piece that a finding is about, with what stands around it.
type Excerpt struct {
	Part                  string // where it stands: "content"; "" for no excerpt
	Before, Marked, After string
}

// Charts are counts to draw; nothing is drawn of what is empty.
type Charts struct {
	Lengths  []Histogram
	Finishes []Count // how answers ended
	Timeline []Slot  // the records in order, in slots of about the same size
	// Begin and End say when the first and the last slot were made, "" unknown.
	Begin, End string
}

// Histogram counts lengths by powers of two: Counts[0] is of length 0, Counts[n]
// of 2ⁿ⁻¹ to 2ⁿ-1.
type Histogram struct {
	Name   string // "reasoning"
	Unit   string // "characters"
	Counts []int64
}

// Count is how often a value was seen.
type Count struct {
	Name string
	N    int64
}

// Slot is a run of records.
type Slot struct{ Passed, Failed int64 }
