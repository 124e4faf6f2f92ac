package monitor

import (
	"strconv"
	"strings"
)

// exposition is text of metrics under way: families, each followed by its samples.
type exposition struct {
	text []byte
	name string // of the family
}

// family begins a metric. kind is counter, gauge or histogram.
func (e *exposition) family(name, kind, help string) {
	e.name = name
	e.text = append(e.text, "# HELP "+name+" "+help+"\n# TYPE "+name+" "+kind+"\n"...)
}

// sample is a value of the family, with a suffix to its name and pairs of labels
// and values.
func (e *exposition) sample(suffix string, value float64, labels ...string) {
	e.text = append(e.text, e.name+suffix...)
	for i := 0; i < len(labels); i += 2 {
		open := ","
		if i == 0 {
			open = "{"
		}
		e.text = append(e.text, open+labels[i]+`="`+labelValue(labels[i+1])+`"`...)
	}
	if len(labels) > 0 {
		e.text = append(e.text, '}')
	}
	e.text = append(e.text, " "+number(value)+"\n"...)
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// labelValue escapes what the format asks for. What is not UTF-8 would make the
// whole text unreadable.
func labelValue(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
}

// labelName makes a name of a label of any words: [a-zA-Z_][a-zA-Z0-9_]*, not
// beginning with two underscores, which are reserved.
func labelName(s string) string {
	name := strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, s), "_0123456789")
	if name == "" {
		return "name"
	}
	return name
}
