package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// TestAccount adds lines in order; each is "line → rules".
func TestAccount(t *testing.T) {
	policy := check.DefaultPolicy()
	policy.Set("copied-sample", check.Off) // see TestCopies
	f := func(expected []string, samples int, missing map[string]int, lines ...string) {
		t.Helper()
		d := check.NewDigester()
		a := check.NewAccount(policy)
		if expected != nil {
			a.ExpectOnly(samples)
		}
		for _, id := range expected {
			a.Expect(d.Prompt(record.StringID(id)), d.Bytes([]byte(id)), 1)
		}
		for _, line := range lines {
			line, want, _ := strings.Cut(line, " → ")
			s := sample(t, line)
			epoch := 0
			if strings.Contains(line, "epoch2") {
				epoch = 2
			} else if strings.Contains(line, "epoch1") {
				epoch = 1
			}
			digest := d.Of(s, epoch)
			var got []string
			for _, f := range a.Add(&digest) {
				got = append(got, f.Rule)
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: found %q, want %q", line, got, want)
			}
		}
		for id, want := range missing {
			prompt := d.Prompt(record.StringID(id))
			if got, _ := a.TakeMissing(prompt); got != want {
				t.Errorf("%s: %d missing, want %d", id, got, want)
			}
			if again, _ := a.TakeMissing(prompt); again != 0 {
				t.Errorf("%s: %d missing a second time", id, again)
			}
		}
	}
	f(nil, 1, nil,
		`{"id":"a"}`, `{"id":"b"}`, `{"id":1}`, `{"id":"1"}`,
		`{"id":"a"} → duplicate-answer`,
		`{"id":"a","content":"No."} → duplicate-id`,
		`{"id":"a","sample":1}`, `{"id":"a","turn":1}`, `{"id":"a","choice":1}`, `{"id":"a","choice":1} → duplicate-answer`,
		`{"id":""}`, `{"id":""}`)
	f(nil, 1, nil, // however it is spelled
		`{"id":"a","content":"<a> \u00e9"}`, "{\"id\":\"\\u0061\",\"content\":\"\\u003ca\\u003E é\"} → duplicate-answer")
	f([]string{"a", "b", "c"}, 1, map[string]int{"a": 0, "b": 0, "c": 1, "x": 0},
		`{"id":"a"}`, `{"id":"x"} → unknown-id`, `{"id":"b"}`, `{"id":"b"} → duplicate-answer`,
		`{"id":"a","sample":1} → unknown-id`)
	f([]string{"a", "b", "c"}, 3, map[string]int{"a": 0, "b": 1, "c": 3},
		`{"id":"a"}`, `{"id":"a","sample":1}`, `{"id":"a","sample":2}`, `{"id":"a","sample":3} → unknown-id`,
		`{"id":"b"}`, `{"id":"b","choice":1}`)
	f([]string{}, 1, map[string]int{"a": 0}, // nobody asked
		`{"id":"a"} → unknown-id`, `{"id":""}`)
	f([]string{"a", "b", "c", "d"}, 1, map[string]int{"a": 0, "b": 0, "c": 0, "d": 1}, // choices of one request are no samples
		`{"id":"a"}`, `{"id":"a","choice":1}`, `{"id":"a","choice":2}`,
		`{"id":"b","choice":1}`, `{"id":"b"}`, `{"id":"b"} → duplicate-answer`, `{"id":"b","sample":1,"choice":1} → unknown-id`, `{"id":"b","sample":1} → unknown-id`,
		`{"id":"c","turn":1,"choice":1}`, `{"id":"c","choice":1}`, `{"id":"c","choice":1} → duplicate-answer`)
	f([]string{"a", "b", "c"}, 2, map[string]int{"a": 0, "b": 0, "c": 1}, // but they are answers
		`{"id":"a"}`, `{"id":"a","choice":1}`, `{"id":"b","choice":1}`, `{"id":"b","sample":1}`, `{"id":"b","sample":2} → unknown-id`,
		`{"id":"c","choice":7}`)
	f([]string{"a", "b"}, 1, map[string]int{"a": 0, "b": 0}, // turns are no samples
		`{"id":"a","turn":1}`, `{"id":"a"}`, `{"id":"a","turn":2}`, `{"id":"a"} → duplicate-answer`,
		`{"id":"b","turn":2}`)
	f(nil, 1, nil,
		`{"id":"a","model":"m"}`, `{"id":"b"}`, `{"id":"c","model":"n"} → mixed-models`, `{"id":"d","model":"m"}`,
		`{"id":"e","content":"epoch1"}`, `{"id":"f","content":"epoch2"} → mixed-epochs`, `{"id":"g"}`)
}

// Samples of one prompt are copies whatever their order; answers to two prompts,
// turns and what is empty are not.
func TestCopies(t *testing.T) {
	f := func(lines ...string) {
		t.Helper()
		d, a := check.NewDigester(), check.NewAccount(check.DefaultPolicy())
		for _, line := range lines {
			line, copied := strings.CutSuffix(line, "!")
			digest := d.Of(sample(t, line), 0)
			if got := len(a.Add(&digest)) > 0; got != copied {
				t.Errorf("%s: found %v, want %v", line, got, copied)
			}
		}
	}
	f(`{"id":"a"}`, `{"id":"a","sample":1}!`, `{"id":"a","sample":2,"content":"No."}`, `{"id":"a","sample":3,"content":"No."}!`)
	f(`{"id":"a","sample":2}`, `{"id":"a","sample":1,"content":"No."}`, `{"id":"a"}!`)
	f(`{"id":"a","choice":1}`, `{"id":"a"}!`, `{"id":"a","choice":2,"reasoning":"Other."}`)
	f(`{"id":"a"}`, `{"id":"b","sample":1}`, `{"id":"a","turn":1}`, `{"id":"a","sample":1,"turn":1}!`)
	f(`{"id":"a","reasoning":"","content":""}`, `{"id":"a","sample":1,"reasoning":"","content":""}`)
}

// Of a conversation every turn of every sample is wanted.
func TestTurns(t *testing.T) {
	f := func(turns, samples, missing int, lines ...string) {
		t.Helper()
		d, a := check.NewDigester(), check.NewAccount(check.DefaultPolicy())
		a.ExpectOnly(samples)
		id := d.Prompt(record.StringID("a"))
		a.Expect(id, 0, turns)
		for i, line := range lines {
			line, unknown := strings.CutSuffix(line, "!")
			digest := d.Of(sample(t, strings.TrimSuffix(line, "}")+fmt.Sprintf(`,"id":"a","content":"%d"}`, i)), 0)
			if got := len(a.Add(&digest)) > 0; got != unknown {
				t.Errorf("%s: found %v, want %v", line, got, unknown)
			}
		}
		if n, of := a.TakeMissing(id); n != missing || of != turns*samples {
			t.Errorf("%v: %d of %d are missing, want %d", lines, n, of, missing)
		}
	}
	f(3, 1, 0, `{"turn":1}`, `{"turn":0}`, `{"turn":2}`)
	f(3, 1, 2, `{"turn":1}`)
	f(3, 1, 2, `{"turn":0}`, `{"turn":3}!`)
	f(3, 2, 1, `{"turn":0}`, `{"turn":1}`, `{"turn":2}`, `{"sample":1,"turn":0}`, `{"sample":1,"turn":2}`)
	f(3, 1, 0, `{"turn":0}`, `{"turn":1}`, `{"turn":2}`, `{"sample":1,"turn":0}!`)
	f(1, 1, 0, `{"turn":4}`) // one turn is asked: whichever it was
}

func TestExpect(t *testing.T) {
	a := check.NewAccount(check.DefaultPolicy())
	a.ExpectOnly(1)
	f := func(prompt, line uint64, fresh, same bool) {
		t.Helper()
		if gotFresh, gotSame := a.Expect(prompt, line, 1); gotFresh != fresh || gotSame != same {
			t.Errorf("%d %d: %v %v, want %v %v", prompt, line, gotFresh, gotSame, fresh, same)
		}
	}
	f(1, 10, true, false)
	f(1, 10, false, true)
	f(1, 11, false, false)
	f(2, 10, true, false)
}

// What no rule asks for is not kept.
func TestAccountForgets(t *testing.T) {
	f := func(remembers bool, off ...string) {
		t.Helper()
		p := check.DefaultPolicy()
		for _, rule := range off {
			if err := p.Set(rule, check.Off); err != nil {
				t.Fatal(err)
			}
		}
		d := check.NewDigester()
		digest := d.Of(sample(t, `{"id":"a"}`), 0)
		a := check.NewAccount(p)
		a.Add(&digest)
		if got := a.Answered(digest.Answer); got != remembers {
			t.Errorf("without %v: remembers %v, want %v", off, got, remembers)
		}
		a = check.NewAccount(p)
		a.ExpectOnly(1)
		a.Expect(digest.Prompt, 0, 1)
		a.Add(&digest)
		if n, _ := a.TakeMissing(digest.Prompt); n != 0 {
			t.Errorf("without %v: %d of the expected answers are missing", off, n)
		}
	}
	f(true)
	f(true, "duplicate-id", "duplicate-answer")
	f(true, "missing-response", "duplicate-answer")
	f(false, "missing-response", "duplicate-answer", "duplicate-id")
}

func ExampleAccount() {
	digests := check.NewDigester()
	account := check.NewAccount(check.DefaultPolicy())
	account.ExpectOnly(1)
	for _, id := range []string{"q1", "q2"} {
		account.Expect(digests.Prompt(record.StringID(id)), 0, 1)
	}
	for _, content := range []string{"So.", "No."} {
		d := digests.Of(&record.Sample{ID: record.StringID("q1"), Content: jsonscan.Quote(content)}, 0)
		for _, f := range account.Add(&d) {
			fmt.Println(f.Rule+":", f.Detail)
		}
	}
	n, of := account.TakeMissing(digests.Prompt(record.StringID("q2")))
	fmt.Printf("q2 lacks %d of %d\n", n, of)
	// Output:
	// duplicate-id: another text answered this before
	// q2 lacks 1 of 1
}
