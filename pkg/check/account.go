package check

import "fmt"

// Account finds what shows only between records. It keeps 20 to 40 bytes for
// each answer and each expected prompt.
type Account struct {
	policy  Policy
	samples int
	answers map[uint64]uint64   // of Digest.Answer or Slot: Content, or occupied
	prompts map[uint64]*promise // of Digest.Prompt; nil when none are expected
	model   []byte              // the first record's
	epoch   int                 // the first known
	found   []Finding
}

// occupied stands for a slot of which only a later turn was seen so far.
const occupied = 0

// promise is an expected prompt.
type promise struct {
	line    uint64 // hash of it
	answers int    // slots that are filled
}

// NewAccount returns an empty Account, which expects of each prompt a number of
// samples, from 1.
func NewAccount(p Policy, samples int) *Account {
	return &Account{policy: p, samples: samples, answers: map[uint64]uint64{}}
}

// Expect adds a prompt, by the hashes of its id and of its line. It reports
// whether the id is new; same says that it is that of an equal line.
func (a *Account) Expect(prompt, line uint64) (fresh, same bool) {
	if a.prompts == nil {
		a.prompts = map[uint64]*promise{}
	}
	if p := a.prompts[prompt]; p != nil {
		return false, p.line == line
	}
	a.prompts[prompt] = &promise{line: line}
	return true, false
}

// Expects reports whether a prompt is expected.
func (a *Account) Expects(prompt uint64) bool { return a.prompts[prompt] != nil }

// TakeMissing is how many answers a prompt still lacks, once: 0 afterwards.
func (a *Account) TakeMissing(prompt uint64) int {
	p := a.prompts[prompt]
	if p == nil || p.answers >= a.samples {
		return 0
	}
	n := a.samples - p.answers
	p.answers = a.samples
	return n
}

// Answered reports whether there was an answer to what [Digester.Answer] names.
func (a *Account) Answered(answer uint64) bool { return a.answers[answer] != occupied }

// Add takes the next answer, in order, and returns what is wrong with it beside
// those before; valid until the next call.
func (a *Account) Add(d *Digest) []Finding {
	a.found = a.found[:0]
	a.compareModel(d.Model)
	a.compareEpoch(d.Epoch)
	if d.Prompt == 0 {
		return a.found
	}
	p := a.prompts[d.Prompt]
	if a.prompts != nil && p == nil {
		a.find(unknownID, "none of the prompts has this id")
	}
	if a.isRepeated(d) {
		return a.found
	}
	if a.fills(d) && p != nil {
		if p.answers++; p.answers > a.samples {
			a.find(unknownID, fmt.Sprintf("answer %d of %d", p.answers, a.samples))
		}
	}
	return a.found
}

func (a *Account) isRepeated(d *Digest) bool {
	switch before := a.answers[d.Answer]; before {
	case occupied:
		return false
	case d.Content:
		a.find(duplicateAnswer, "the same text answered this before")
	default:
		a.find(duplicateID, "another text answered this before")
	}
	return true
}

// fills keeps an answer and reports whether its slot was free.
func (a *Account) fills(d *Digest) bool {
	_, taken := a.answers[d.Slot]
	if !taken {
		a.answers[d.Slot] = occupied
	}
	a.answers[d.Answer] = d.Content
	return !taken
}

func (a *Account) compareModel(model []byte) {
	switch {
	case len(model) == 0:
	case a.model == nil:
		a.model = append([]byte(nil), model...)
	case string(a.model) != string(model):
		a.find(mixedModels, fmt.Sprintf("model %.80q, first was %.80q", model, a.model))
	}
}

func (a *Account) compareEpoch(epoch int) {
	switch {
	case epoch == 0:
	case a.epoch == 0:
		a.epoch = epoch
	case a.epoch != epoch:
		a.find(mixedEpochs, fmt.Sprintf("server epoch %d, first was %d", epoch, a.epoch))
	}
}

func (a *Account) find(rule, detail string) {
	if f, ok := a.policy.Finding(rule, detail); ok {
		a.found = append(a.found, f)
	}
}
