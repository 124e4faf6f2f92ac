package prompt

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// readTools is a raw list of tools in OpenAI's form, nil for none. They may stand
// in a string (LLaMA-Factory), and without {"type":"function"} around each.
func readTools(v jsonscan.Value) ([]byte, error) {
	if v.Kind() == jsonscan.String {
		var d jsonscan.Doc
		if v.Text().TrimSpace().Len() == 0 {
			return nil, nil
		}
		if err := d.Scan(v.Text().AppendTo(nil)); err != nil {
			return nil, fmt.Errorf("tools is a text that is no JSON: %w", err)
		}
		v = d.Root()
	}
	if v.Kind() > jsonscan.Null && v.Kind() != jsonscan.Array {
		return nil, fmt.Errorf("tools is %s, not a list", kindName(v.Kind()))
	}
	if v.Len() == 0 {
		return nil, nil
	}
	plain := true
	var tools [][]byte
	for _, t := range v.Elements() {
		tool := t.Raw()
		if isBare(t) {
			plain = false
			tool = append(append([]byte(`{"type":"function","function":`), tool...), '}')
		}
		tools = append(tools, tool)
	}
	if plain {
		return v.Raw(), nil
	}
	return array(tools), nil
}

// isBare reports whether a tool is the definition of a function alone.
func isBare(tool jsonscan.Value) bool {
	return tool.Get("name").Kind() == jsonscan.String && !tool.Get("type").Exists() && !tool.Get("function").Exists()
}
