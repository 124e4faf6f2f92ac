package prompt

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// shape is one form in which prompts are kept. A new one is a line here and a
// function.
type shape struct {
	key   string // the key that holds what is asked; its presence decides
	kinds []jsonscan.Kind
	read  shapeReader
}

type shapeReader func(r *Reader, line, value jsonscan.Value, p *Prompt) error

// shapes are tried in order.
var shapes = []shape{
	{"body", []jsonscan.Kind{jsonscan.Object}, batch},
	{"messages", []jsonscan.Kind{jsonscan.Array}, messages},
	{"conversations", []jsonscan.Kind{jsonscan.Array}, conversations},
	{"turns", []jsonscan.Kind{jsonscan.Array}, turns},
	{"prompt", []jsonscan.Kind{jsonscan.String, jsonscan.Array}, field},
	{"input_ids", []jsonscan.Kind{jsonscan.Array}, inputIDs},
}

// Find is the member of a line that holds what is asked, and its key. The error
// says that there is none.
func (r *Reader) Find(v jsonscan.Value) (key string, value jsonscan.Value, err error) {
	key, value, _, err = r.find(v)
	return key, value, err
}

func (r *Reader) find(v jsonscan.Value) (key string, value jsonscan.Value, read shapeReader, err error) {
	if r.PromptField != "" {
		value = v.Get(r.PromptField)
		if !value.Exists() {
			err = fmt.Errorf("no field %q", r.PromptField)
		}
		return r.PromptField, value, field, err
	}
	for _, s := range shapes {
		value = v.Get(s.key)
		fits := slices.Contains(s.kinds, value.Kind())
		switch {
		case fits && s.key == "body" && !v.Get("url").Exists():
			err = cmp.Or(err, errors.New("body has no url beside it, as a Batch request has"))
		case fits:
			return s.key, value, s.read, nil
		case value.Exists():
			err = cmp.Or(err, fmt.Errorf("%s is %s", s.key, kindName(value.Kind())))
		}
	}
	if err == nil {
		err = fmt.Errorf("the keys are %s; --prompt-field names what is asked", v.Keys())
	}
	return "", jsonscan.Value{}, nil, fmt.Errorf("no prompt of a known shape: %w", err)
}

// shape reads what is asked and returns the key that held it.
func (r *Reader) shape(v jsonscan.Value, p *Prompt) (used string, err error) {
	used, value, read, err := r.find(v)
	if err != nil {
		return "", err
	}
	return used, read(r, v, value, p)
}

// batch reads an OpenAI Batch request line.
func batch(r *Reader, line, body jsonscan.Value, p *Prompt) error {
	url := line.Get("url").Text()
	api, ok := apiOfPath(url)
	if !ok {
		return fmt.Errorf("url %.80q is not the path of a known endpoint", url.String())
	}
	if m := line.Get("method"); m.Exists() && !m.Text().Equal("POST") {
		return fmt.Errorf("method %.20q is not POST", m.Text().String())
	}
	p.API, p.Body = api, body
	switch api {
	case Chat:
		m := body.Get("messages")
		if m.Kind() != jsonscan.Array {
			return errors.New("body has no messages")
		}
		return messages(r, line, m, p)
	case Completions:
		return field(r, line, body.Get("prompt"), p)
	case Responses:
		return items(r, line, body.Get("input"), p)
	}
	if ids := body.Get("input_ids"); ids.Exists() {
		return inputIDs(r, line, ids, p)
	}
	return field(r, line, body.Get("text"), p)
}

// field reads a prompt that is text, a list of messages, or a list of turns.
func field(r *Reader, line, value jsonscan.Value, p *Prompt) error {
	switch {
	case value.Kind() == jsonscan.String:
		if len(value.Text().Raw) == 0 {
			return errors.New("the prompt is empty")
		}
		p.Asked.Text, p.Asked.HasText = value.Text(), true
		return nil
	case value.Kind() != jsonscan.Array:
		return fmt.Errorf("the prompt is %s, not text or messages", kindName(value.Kind()))
	}
	switch value.Index(0).Kind() {
	case jsonscan.Object:
		return messages(r, line, value, p)
	case jsonscan.Number:
		return inputIDs(r, line, value, p)
	}
	return turns(r, line, value, p)
}

func inputIDs(_ *Reader, _, value jsonscan.Value, p *Prompt) error {
	for _, id := range value.Elements() {
		if n, ok := id.Int(); !ok || n < 0 {
			return fmt.Errorf("token id %.40q is not a whole number", id.Raw())
		}
	}
	if value.Len() == 0 {
		return errors.New("the prompt has no token ids")
	}
	p.Asked.InputIDs = value.Raw()
	return nil
}

// turns reads a list of user texts, or of lists of messages: the user's side of
// a conversation whose answers nobody wrote yet.
func turns(r *Reader, line, value jsonscan.Value, p *Prompt) error {
	switch n := value.Len(); {
	case n == 0:
		return errors.New("no turns")
	case n > 1 && r.Turns == LastTurn, n > 1 && r.Turns == "":
		return fmt.Errorf("%d user turns without answers between them; --turns all answers each, --turns one the first alone", n)
	case r.Turns == AllTurns:
		return allTurns(value, p)
	}
	first := value.Index(0)
	if first.Kind() == jsonscan.Array {
		return messages(r, line, first, p)
	}
	return field(r, line, first, p)
}

// allTurns reads every turn of the user; an answer follows each.
func allTurns(value jsonscan.Value, p *Prompt) error {
	var asked conversation
	for i, turn := range value.Elements() {
		switch {
		case turn.Kind() == jsonscan.String && turn.Text().Len() > 0:
			asked.add(jsonscan.Quote("user"), message("user", turn.Text()))
		case turn.Kind() != jsonscan.Array:
			return fmt.Errorf("turn %d is neither text nor messages", i+1)
		}
		if err := asked.addAll(turn); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
		asked.breaks = append(asked.breaks, len(asked.messages))
	}
	return asked.ask(AllTurns, nil, p)
}

// messages reads chat messages in the OpenAI form.
func messages(r *Reader, _, value jsonscan.Value, p *Prompt) error {
	var asked conversation
	if err := asked.addAll(value); err != nil {
		return err
	}
	return asked.ask(r.Turns, value.Raw(), p)
}
