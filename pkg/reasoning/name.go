package reasoning

import (
	"slices"
	"strings"
)

// named reports whether a model's name holds one of parts.
func named(parts []string, model string) bool {
	return model != "" && slices.ContainsFunc(parts, func(part string) bool {
		first, then, _ := strings.Cut(part, "*")
		rest, ok := afterFold(model, first)
		if ok {
			_, ok = afterFold(rest, then)
		}
		return ok
	})
}

// afterFold is what follows the first part, which is ASCII in lower case, in s.
func afterFold(s, part string) (after string, found bool) {
	for i := 0; i+len(part) <= len(s); i++ {
		n := 0
		for n < len(part) && fold(s[i+n]) == part[n] {
			n++
		}
		if n == len(part) {
			return s[i+n:], true
		}
	}
	return "", false
}

func fold(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	case c == '_' || c == ' ':
		return '-'
	}
	return c
}
