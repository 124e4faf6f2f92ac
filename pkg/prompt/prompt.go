package prompt

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// API is an endpoint that a prompt can be sent to.
type API string

// The known endpoints: the path of a request is that of its API.
const (
	Chat        API = "chat"        // /v1/chat/completions
	Completions API = "completions" // /v1/completions
	Generate    API = "generate"    // SGLang's /generate
	Responses   API = "responses"   // /v1/responses
)

// apis are all of them.
var apis = [...]API{Chat, Completions, Generate, Responses}

// Path is the API's path on a server.
func (a API) Path() string {
	switch a {
	case Completions:
		return "/v1/completions"
	case Generate:
		return "/generate"
	case Responses:
		return "/v1/responses"
	}
	return "/v1/chat/completions"
}

// ParseAPI is the API of a name, and whether there is one.
func ParseAPI(name string) (API, bool) {
	for _, a := range apis {
		if name == string(a) {
			return a, true
		}
	}
	return "", false
}

// apiOfPath is the API with a path, for Batch lines.
func apiOfPath(path jsonscan.Text) (API, bool) {
	for _, a := range apis {
		if path.Equal(a.Path()) {
			return a, true
		}
	}
	return "", false
}

// Prompt is one line, understood. It refers to the line's bytes.
type Prompt struct {
	ID     record.ID
	API    API            // set by a Batch line's url, else ""
	Asked  Asked          // what is asked
	Body   jsonscan.Value // a Batch line's body: fields of the request
	Params jsonscan.Value // the prompt's own fields of the request
	Tools  []byte         // raw JSON, nil for none
	Lane   string         // the lane the prompt names, "" for none
	Meta   []byte         // raw JSON object of everything else, nil for none
}

// Asked is what a prompt asks, in one of four forms; the others are empty.
type Asked struct {
	Messages []byte        // raw JSON array of chat messages
	Text     jsonscan.Text // a bare prompt; set when HasText
	HasText  bool
	InputIDs []byte // raw JSON array of token ids
	Items    []byte // raw JSON array of the Responses API's input items

	// Script is the conversation whose first turn Messages asks, with AllTurns;
	// nil for what is no conversation.
	Script *Script
}

// Reader reads prompts. The zero Reader recognises the shapes; its fields name
// what people configure. It is not safe for concurrent use.
type Reader struct {
	IDField     string // key that holds the id, "" for the usual ones
	PromptField string // key that holds the prompt, "" to recognise the shape
	Turns       Turns  // which turn of a conversation is asked

	namer record.Namer
}

// Turns says which turn of a conversation is asked.
type Turns string

const (
	LastTurn Turns = "last" // all of it up to the last message that is not the assistant's
	OneTurn  Turns = "one"  // the first user message, with what stands before it
	AllTurns Turns = "all"  // each of the assistant's, on the answers to those before it
)

// Read understands one scanned line. line is the line's bytes, from which an id
// is made when it has none. The error says why it is no prompt.
func (r *Reader) Read(v jsonscan.Value, line []byte) (Prompt, error) {
	if v.Kind() != jsonscan.Object {
		return Prompt{}, fmt.Errorf("a prompt is a JSON object, this is %s", kindName(v.Kind()))
	}
	p := Prompt{ID: record.PromptID(v, r.IDField)}
	if p.ID.IsZero() && r.IDField != "" {
		return p, fmt.Errorf("no id in field %q", r.IDField)
	}
	if p.ID.IsZero() {
		p.ID = r.namer.Name(line)
	}
	used, err := r.shape(v, &p)
	if err != nil {
		return p, err
	}
	if err := r.common(v, &p); err != nil {
		return p, err
	}
	p.Meta = r.meta(v, used)
	for _, fields := range []jsonscan.Value{p.Params, p.Body, p.Body.Get("sampling_params")} {
		for key := range fields.Members() {
			fields.Get(key.String()) // notes a duplicate
		}
	}
	if path := v.Duplicate(); path != "" {
		return p, fmt.Errorf("duplicate key %q", path)
	}
	return p, nil
}

// Asked is what a line asks, without an id and whatever else Read looks at.
func (r *Reader) Asked(v jsonscan.Value) (Asked, error) {
	var p Prompt
	_, err := r.shape(v, &p)
	return p.Asked, err
}

// common reads the keys that every shape may have.
func (r *Reader) common(v jsonscan.Value, p *Prompt) error {
	if params := v.Get("params"); params.Exists() {
		if params.Kind() != jsonscan.Object {
			return fmt.Errorf("params is %s, not an object", kindName(params.Kind()))
		}
		p.Params = params
	}
	var err error
	if p.Tools, err = readTools(v.Get("tools")); err != nil {
		return err
	}
	p.Lane = v.Get("lane").Text().String()
	return nil
}

// meta copies the members that are neither the id, nor used by the shape, nor
// common ones. The members of a key "meta" that holds an object stand among them.
func (r *Reader) meta(v jsonscan.Value, used string) []byte {
	idKey := r.idKey(v)
	taken := func(name string) bool { // by the id, the shape or the request
		return name == idKey || name == used || name == "params" || name == "tools" || name == "lane" ||
			used == "body" && (name == "method" || name == "url")
	}
	var b []byte
	add := func(key jsonscan.Text, value jsonscan.Value) {
		sep := byte(',')
		if b == nil {
			sep = '{'
		}
		b = key.AppendQuoted(append(b, sep))
		b = append(append(b, ':'), value.Raw()...)
	}
	for key, value := range v.Members() {
		name := key.String()
		switch {
		case taken(name):
		case name == "meta" && value.Kind() == jsonscan.Object:
			for k, m := range value.Members() {
				if name := k.String(); taken(name) || !v.Get(name).Exists() {
					add(k, m)
				}
			}
		default:
			add(key, value)
		}
	}
	if b == nil {
		return nil
	}
	return append(b, '}')
}

// idKey is the key that the id came from, "" when it was made.
func (r *Reader) idKey(v jsonscan.Value) string {
	if r.IDField != "" {
		return r.IDField
	}
	return record.PromptIDKey(v)
}

func kindName(k jsonscan.Kind) string {
	switch k {
	case jsonscan.Null:
		return "null"
	case jsonscan.False, jsonscan.True:
		return "a boolean"
	case jsonscan.Number:
		return "a number"
	case jsonscan.String:
		return "a string"
	case jsonscan.Array:
		return "an array"
	case jsonscan.Object:
		return "an object"
	}
	return "nothing"
}
