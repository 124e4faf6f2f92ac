package reasoning

// presets are the rules that have a name.
var presets = [...]struct {
	name  string
	rules func() Rules
}{
	{"faithful", Faithful},
	{"sglang", SGLang},
	{"vllm", VLLM},
}

// Preset is the rules of that name, with or without the version that
// [Rules].Name has; "" is faithful. r is nil for an unknown name. known are all names.
func Preset(name string) (r *Rules, known []string) {
	if name == "" {
		name = presets[0].name
	}
	for _, p := range presets {
		known = append(known, p.name)
		if rules := p.rules(); name == p.name || name == rules.Name {
			r = &rules
		}
	}
	return r, known
}
