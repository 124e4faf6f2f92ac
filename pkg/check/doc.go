// Package check finds what is wrong with samples: answers that do not belong
// into a training set.
//
// What is looked for is a table of rules, see [Rules]. A rule about one answer
// is a pure function of it; a [Checker] runs all of them and explains an
// effect by its cause, so that an answer cut inside its thought is one finding,
// truncated, and not also one about its empty content. What shows only between
// records (ids answered twice or never, models that change) an [Account] finds.
// A [Policy] says what a finding weighs and what rules compare with; [SpecForge]
// holds rows against the rules of another program.
//
//	policy := check.DefaultPolicy()
//	c := check.NewChecker(policy)
//	for _, f := range c.Check(&sample) {
//		fmt.Println(f.Rule, f.Detail)
//	}
//
// Texts are searched as they stand in their line, escaped; a good record costs
// no allocation. Nothing here is safe for concurrent use: each goroutine has a
// Checker of its own, and one goroutine owns the Account.
package check
