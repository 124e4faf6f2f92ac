package provenance

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Archive is what is known of one archive.
type Archive struct {
	Epochs []Epoch `json:"epochs"` // in the order in which they were first seen
	Runs   []Run   `json:"runs"`   // in the order in which they began
}

// Epoch is a state of one or more servers.
type Epoch struct {
	Number  int       `json:"epoch"`   // server_epoch of exchanges, from 1
	Servers []string  `json:"servers"` // that were in it, as exchanges name them
	Since   time.Time `json:"since"`   // when it was first seen
	Server
}

// Server is what decides about a server's answers, as it tells. Fields that it
// does not tell are "".
type Server struct {
	Engine          string `json:"engine"` // "sglang", "vllm", "llama.cpp"
	Version         string `json:"version"`
	Model           string `json:"model"`         // as requests name it
	KnownParsers    bool   `json:"known_parsers"` // the two below are what is configured, "" for none
	ReasoningParser string `json:"reasoning_parser"`
	ToolParser      string `json:"tool_call_parser"`
	TemplateSHA256  string `json:"chat_template_sha256"` // hex, of the template's text

	// Arguments are launch arguments of an allow-list, under the server's own
	// names: JSON strings, numbers and booleans.
	Arguments map[string]json.RawMessage `json:"arguments"`
}

// Same reports whether answers of both are alike as far as they tell.
func (s *Server) Same(t *Server) bool {
	return s.Engine == t.Engine && s.Version == t.Version && s.Model == t.Model &&
		s.KnownParsers == t.KnownParsers && s.ReasoningParser == t.ReasoningParser && s.ToolParser == t.ToolParser &&
		s.TemplateSHA256 == t.TemplateSHA256 &&
		maps.EqualFunc(s.Arguments, t.Arguments, func(a, b json.RawMessage) bool { return string(a) == string(b) })
}

// Run is one run of gen that sent something.
type Run struct {
	Run      string          `json:"run"` // as in its exchanges
	Started  time.Time       `json:"started_at"`
	Finished *time.Time      `json:"finished_at"` // nil while it runs, and when it was killed
	Version  string          `json:"version"`     // of gen
	Commit   string          `json:"commit"`
	Go       string          `json:"go"`
	Command  []string        `json:"command"`  // its arguments, secrets left out
	Sampling json.RawMessage `json:"sampling"` // an object: fields that flags set in all requests
	Probes   []Probe         `json:"probes"`
	Exit     *int            `json:"exit"`    // exit code, nil as Finished
	Account  json.RawMessage `json:"account"` // an object: in, done, failed, dead, bad, pending, done_before; null as Finished
}

// Probe is what a run saw of a server before it asked.
type Probe struct {
	Server    string `json:"server"`
	Epoch     int    `json:"epoch"`
	Exchange  string `json:"exchange"`         // id of its line in FILE.probe
	Thinking  string `json:"thinking"`         // where it was: "reasoning_content", "reasoning", …; "content" for inline; "" for none
	Form      string `json:"form"`             // in words: "inline with only a closing tag", …
	Status    string `json:"reasoning_status"` // as in samples
	Family    string `json:"family"`           // as in samples
	Reasoning int    `json:"reasoning_chars"`
	Content   int    `json:"content_chars"`
	Finish    string `json:"finish_reason"`
	Prompt    int64  `json:"prompt_tokens"` // -1 not told
	Tokens    int64  `json:"completion_tokens"`
}

// Epoch is the epoch of a number, nil when it is not known.
func (a *Archive) Epoch(number int) *Epoch {
	i := slices.IndexFunc(a.Epochs, func(e Epoch) bool { return e.Number == number })
	if i < 0 {
		return nil
	}
	return &a.Epochs[i]
}

// Last is the highest number of an epoch, 0 for none.
func (a *Archive) Last() (n int) {
	for _, e := range a.Epochs {
		n = max(n, e.Number)
	}
	return n
}

// Differences names what is not the same in both, with both values.
func (s *Server) Differences(t *Server) (what []string) {
	differ := func(name, a, b string) {
		if a != b {
			what = append(what, fmt.Sprintf("%s (%.80q, %.80q)", name, b, a))
		}
	}
	differ("engine", s.Engine, t.Engine)
	differ("version", s.Version, t.Version)
	differ("model", s.Model, t.Model)
	differ("reasoning_parser", s.ReasoningParser, t.ReasoningParser)
	differ("tool_call_parser", s.ToolParser, t.ToolParser)
	differ("chat_template_sha256", s.TemplateSHA256, t.TemplateSHA256)
	names := slices.AppendSeq(slices.Collect(maps.Keys(s.Arguments)), maps.Keys(t.Arguments))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		differ(name, string(s.Arguments[name]), string(t.Arguments[name]))
	}
	if len(what) == 0 && !s.Same(t) {
		what = []string{"what it tells"}
	}
	return what
}
