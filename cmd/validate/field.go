package main

import (
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// field names a value of a record or prompt: a key or dotted path of its line,
// or of the line's meta, where a prompt's other keys travel. model, finish_reason
// and reasoning_status are those of the sample, whatever line it came from.
type field struct{ path []string }

func fieldOf(name string) field { return field{strings.Split(name, ".")} }

// appendTo appends the value as text; nothing for null, objects and what is not
// there. s is nil for a prompt.
func (f field) appendTo(dst []byte, line jsonscan.Value, s *record.Sample) []byte {
	if s != nil && len(f.path) == 1 {
		switch f.path[0] {
		case "model":
			return s.Model.AppendTo(dst)
		case "finish_reason":
			return s.FinishReason.AppendTo(dst)
		case "reasoning_status":
			return append(dst, s.Status...)
		}
	}
	v := line.Get(f.path...)
	if v.Kind() <= jsonscan.Null {
		v = line.Get("meta").Get(f.path...)
	}
	switch v.Kind() {
	case jsonscan.String:
		return v.Text().AppendTo(dst)
	case jsonscan.None, jsonscan.Null, jsonscan.Array, jsonscan.Object:
		return dst
	}
	return append(dst, v.Raw()...)
}

// condition is FIELD=VALUE.
type condition struct {
	field
	value string
}

// addNoThink adds a condition of --no-think-ok.
func (c *config) addNoThink(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("%.80q is not FIELD=VALUE", text)
	}
	c.noThink = append(c.noThink, condition{fieldOf(name), value})
	return nil
}

// mayNotThink reports whether a condition of --no-think-ok holds.
func (w *worker) mayNotThink(line jsonscan.Value, s *record.Sample) bool {
	for _, c := range w.config.noThink {
		w.value = c.appendTo(w.value[:0], line, s)
		if string(w.value) == c.value {
			return true
		}
	}
	return false
}
