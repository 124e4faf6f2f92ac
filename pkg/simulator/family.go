package simulator

// family is how a family of models writes: open, lead, thinking, tail, close,
// gap, answer. A prompt that opens the block ends with open and lead.
type family struct {
	name  string
	model string // served under; tools guess the family from such names
	lead  string
	tail  string
	gap   string
	calls markup // of tool calls
	close int    // id of the closing marker's token; the opening one's is one less
}

const (
	openMarker  = "<think>"
	closeMarker = "</think>"
)

// families as their chat templates have it.
var families = []family{
	{"kimi_k2", "simulated/Kimi-K2-Thinking", "", "", "", kimiCalls, 163607},
	{"deepseek_r1", "simulated/DeepSeek-R1", "\n", "\n", "\n\n", hermesCalls, 128799},
	{"qwen3", "simulated/Qwen3-32B", "\n", "\n", "\n\n", hermesCalls, 151668},
	{"glm45", "simulated/GLM-4.5", "", "", "\n", glmCalls, 151351},
	{"nemotron_3", "simulated/Nemotron-3-Nano", "\n", "\n", "\n\n", xmlCalls, 150001},
}

// Families are the names that Config.Family may have.
func Families() []string {
	var names []string
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

func familyOf(name string) *family {
	for i := range families {
		if families[i].name == name {
			return &families[i]
		}
	}
	return nil
}
