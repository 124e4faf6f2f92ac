package check_test

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/check"
)

func TestParams(t *testing.T) {
	f := func(params check.Params, line, want string) {
		t.Helper()
		p := check.DefaultPolicy()
		p.Params = params
		if got := found(p, sample(t, line)); got != want {
			t.Errorf("%+v: %.80s: found %q, want %q", params, line, got, want)
		}
	}
	f(check.Params{ShortReasoning: 12}, `{"reasoning":"Let me see."}`, "too-short?")
	f(check.Params{ShortReasoning: 11}, `{"reasoning":"Let me see."}`, "")
	f(check.Params{ShortContent: 3}, `{"content":"七个"}`, "too-short?")
	f(check.Params{ShortContent: 2}, `{"content":"\u4e03个"}`, "")
	f(check.Params{Markers: []string{"<mine>"}}, `{"content":"So <mine> it is."}`, "leaked-marker")
	f(check.Params{Ignore: []string{"<|BEGIN_CODE|>"}}, `{"content":"x <|BEGIN_CODE|> y"}`, "")
	f(check.Params{Ignore: []string{"<|BEGIN_CODE|>"}}, `{"content":"x <|END_CODE|> y"}`, "leaked-marker")
	f(check.Params{LeastCopy: 5}, `{"reasoning":"So it is.","content":"So it is."}`, "copied-text?")
	loop := `{"content":"` + strings.Repeat("No, that is wrong. ", 20) + `"}`
	f(check.Params{}, loop, "repetition")
	f(check.Params{LeastLoop: 2000}, `{"content":"`+strings.Repeat("No, that is wrong again and again. ", 40)+proseOf(3000)+`"}`, "")
	f(check.Params{}, `{"content":"`+strings.Repeat("No, that is wrong again and again. ", 40)+proseOf(3000)+`"}`, "repetition")
}

func proseOf(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString("Step " + strings.Repeat("i", i%7) + string(rune('a'+i%26)) + string(rune('a'+i*i%26)) + " is new. ")
	}
	return b.String()
}

// An excerpt is decoded, and cut between characters.
func TestExcerpts(t *testing.T) {
	f := func(line string, want check.Excerpt) {
		t.Helper()
		p := check.DefaultPolicy()
		p.Excerpts = true
		found := check.NewChecker(p).Check(sample(t, line))
		if len(found) != 1 || found[0].Excerpt != want {
			t.Errorf("%.100s: found %+v, want %+v", line, found, want)
		}
	}
	f(`{"content":"So\n<|im_end|> it \"is\"."}`, check.Excerpt{Part: "content", Before: "So\n", Marked: "<|im_end|>", After: ` it "is".`})
	f(`{"content":"So \u003cthink\u003e é\u00e9"}`, check.Excerpt{Part: "content", Before: "So ", Marked: "<think>", After: " éé"})
	f(`{"reasoning":"thought\nHm."}`, check.Excerpt{Part: "reasoning", Marked: "thought\n", After: "Hm."})
	f(`{"content":"a\u0000b"}`, check.Excerpt{Part: "content", Before: "a", Marked: "\x00", After: "b"})
	f(`{"content":"`+strings.Repeat("é", 200)+`</think>`+strings.Repeat("é", 200)+`"}`,
		check.Excerpt{Part: "content", Before: "… " + strings.Repeat("é", 80), Marked: "</think>", After: strings.Repeat("é", 80) + " …"})
	f(`{"finish_reason":"length"}`, check.Excerpt{Part: "content", Before: "So it is."})
	f(`{"finish_reason":"length","content":""}`, check.Excerpt{Part: "reasoning", Before: "Let me see."})
	f(`{"reasoning":""}`, check.Excerpt{Part: "content", After: "So it is."})
	f(`{"reasoning":"","content":"Okay, so the user"}`, check.Excerpt{Part: "content", Marked: "Okay, so ", After: "the user"})
	f(`{"finish_reason":"abort"}`, check.Excerpt{})
}
