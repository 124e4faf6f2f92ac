package toolcall

import (
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// MiniMax M3 puts a token before every tag. Markers are looked for by '<', so that
// of the first token of all its first character stands before the marker.
const (
	minimax3Mark  = "]<]minimax[>["
	minimax3Open  = "<]minimax[>[<tool_call>"
	minimax3Close = minimax3Mark + "</tool_call>"
)

// minimax3 reads functions whose parameters are tags of their own, each tag after
// the token:
//
//	<invoke name="NAME"><KEY>VALUE</KEY></invoke>
func minimax3(p *Parser, c *cursor) bool {
	body, ok := c.upTo(minimax3Close)
	known := len(p.Calls)
	for s := strings.TrimSpace(body.String()); ok && s != ""; s = strings.TrimSpace(s) {
		s, ok = p.minimax3Call(s)
	}
	return ok && len(p.Calls) > known
}

// minimax3Call reads one function off the beginning of s.
func (p *Parser) minimax3Call(s string) (rest string, ok bool) {
	s, ok = strings.CutPrefix(s, minimax3Mark+`<invoke name="`)
	name, s, named := strings.Cut(s, `">`)
	if !ok || !named || !isName(jsonscan.Quote(name)) {
		return s, false
	}
	call := p.begin(jsonscan.Quote(name))
	for {
		tag, found := strings.CutPrefix(strings.TrimSpace(s), minimax3Mark+"<")
		if rest, ok = strings.CutPrefix(tag, "/invoke>"); found && ok {
			return rest, call.end()
		}
		key, value, opened := strings.Cut(tag, ">")
		value, rest, closed := strings.Cut(value, minimax3Mark+"</"+key+">")
		if !found || !opened || !closed || !isName(jsonscan.Quote(key)) {
			return s, false
		}
		call.argument(jsonscan.Quote(key), jsonscan.Quote(value))
		s = rest
	}
}
