package prompt

import (
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// conversation collects messages and cuts them to what is asked.
type conversation struct {
	messages  [][]byte // raw JSON objects
	lastAsked int      // messages up to the last that is not the assistant's
	firstUser int      // messages up to the first user's
	breaks    []int    // numbers of messages after which the assistant speaks, recorded or not
}

var errNothingAsked = errors.New("nothing is asked: no message is the user's")

func (c *conversation) add(role jsonscan.Text, raw []byte) {
	c.messages = append(c.messages, raw)
	if !role.Equal("assistant") {
		c.lastAsked = len(c.messages)
	}
	if c.firstUser == 0 && role.Equal("user") {
		c.firstUser = len(c.messages)
	}
}

// addAll adds chat messages in the OpenAI form; nothing else has any.
func (c *conversation) addAll(value jsonscan.Value) error {
	for i, m := range value.Elements() {
		role := m.Get("role")
		if m.Kind() != jsonscan.Object || role.Kind() != jsonscan.String {
			return fmt.Errorf("message %d has no role", i+1)
		}
		c.add(role.Text(), m.Raw())
	}
	return nil
}

// ask puts the messages of the wanted turn into p; whole is the raw array of
// all of them, nil when there is none.
func (c *conversation) ask(turns Turns, whole []byte, p *Prompt) (err error) {
	n := c.lastAsked
	switch turns {
	case AllTurns:
		if p.Asked.Script, err = newScript(c.messages, c.breaks); err != nil {
			return err
		}
		p.Asked.Messages, err = p.Asked.Script.Messages(nil)
		return err
	case OneTurn:
		n = c.firstUser
	}
	if n == 0 {
		return errNothingAsked
	}
	if n == len(c.messages) && whole != nil {
		p.Asked.Messages = whole
		return nil
	}
	p.Asked.Messages = array(c.messages[:n])
	return nil
}

// array is the raw JSON array of raw values.
func array(values [][]byte) []byte {
	b := []byte{'['}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, v...)
	}
	return append(b, ']')
}

// message is a chat message with the given role and content.
func message(role string, content jsonscan.Text) []byte {
	b := jsonscan.AppendString([]byte(`{"role":`), role)
	b = content.AppendQuoted(append(b, `,"content":`...))
	return append(b, '}')
}
