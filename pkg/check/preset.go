package check

// The presets of [Preset].
const (
	PresetSpecForge       = "specforge"
	PresetSpecForgeStrict = "specforge-strict"
)

// Preset returns the policy of a name that --rules knows: rows are looked at as
// another program's validator does, and at nothing else. strict is for
// [SpecForge]. ok is false for any other name.
func Preset(name string) (p Policy, strict, ok bool) {
	if name != PresetSpecForge && name != PresetSpecForgeStrict {
		return Policy{}, false, false
	}
	p = Policy{Require: Optional, rules: make([]setting, len(table))}
	for _, rule := range [...]string{NotSpecForge, BadJSON, BadText} {
		p.rules[index(rule)].level = Fail
	}
	return p, name == PresetSpecForgeStrict, true
}

// LooksAtAnswers reports whether a rule needs an answer that is split, which a
// row of another program is not.
func LooksAtAnswers(rule string) bool {
	i := index(rule)
	return i >= 0 && (table[i].find != nil && rule != BadJSON && rule != BadText || rule == mixedModels || rule == mixedEpochs || rule == copiedSample)
}
