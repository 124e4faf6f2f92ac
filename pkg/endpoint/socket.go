package endpoint

import (
	"fmt"
	"net/url"
	"strings"
)

// longestSocket is what fits into sun_path of Linux, see unix(7).
const longestSocket = 107

// parseSocket takes the URL of a unix socket apart, of which rest follows the
// scheme: unix:/run/vllm.sock, with a path of the server behind a colon where it
// has one (unix:/run/vllm.sock:/openai, as nginx writes it), or
// http+unix://%2Frun%2Fvllm.sock/openai, as Python clients do.
func parseSocket(s, rest string) (address, error) {
	a := address{scheme: "http", host: "localhost"}
	rest, a.query, _ = strings.Cut(rest, "?")
	socket, path, found := strings.Cut(rest, ":")
	host, behind, _ := strings.Cut(rest, "/")
	switch escaped, err := url.PathUnescape(host); {
	case found:
		a.setPath(path)
	case err == nil && escaped != host:
		socket = escaped
		a.setPath("/" + behind)
	default: // a /v1 that was pasted is no part of the socket's name
		a.setPath(rest)
		socket, a.prefix = a.prefix, ""
	}
	switch {
	case strings.LastIndexByte(rest, '@') > 0: // at the beginning: an abstract socket
		return address{}, fmt.Errorf("server URL %q: a socket has no user and password", shown(s))
	case socket == "":
		return address{}, fmt.Errorf("server URL %q names no socket", shown(s))
	case len(socket) > longestSocket:
		return address{}, fmt.Errorf("server URL %q: the path of a socket has at most %d bytes", shown(s), longestSocket)
	}
	a.socket, a.name = socket, "unix:"+socket
	if path := a.shownPath(); path != "" {
		a.name += ":" + path
	}
	return a, nil
}

// cutPrefixes cuts the first of the prefixes that s has.
func cutPrefixes(s string, prefixes ...string) (rest string, ok bool) {
	for _, p := range prefixes {
		if rest, ok = strings.CutPrefix(s, p); ok {
			return rest, true
		}
	}
	return s, false
}
