package endpoint

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// address is where a server is.
type address struct {
	name          string // as shown
	renamed       bool   // the name is not made of what follows
	scheme, host  string
	socket        string // path of a unix socket, "" for TCP
	prefix        string // of every path: "" or "/openai"
	version       string // "/v1", or what the URL says instead: "/v4"
	query         string // of every request; may hold a key
	password      string
	authorization string // of the URL's user and password
}

// endpoints are paths that people paste as the server's URL.
var endpoints = []string{"/chat/completions", "/completions", "/responses", "/models", "/generate"}

// parseURL takes a server's URL apart. Errors never show what may be secret:
// url.Parse's own repeat the whole text.
func parseURL(s string) (address, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return address{}, errors.New("no server URL")
	}
	if rest, ok := cutPrefixes(s, "http+unix://", "unix://", "unix:"); ok {
		return parseSocket(s, rest)
	}
	u, err := url.Parse(s)
	switch {
	case !strings.Contains(s, ":/") || err == nil && u.Scheme != "http" && u.Scheme != "https":
		return address{}, fmt.Errorf("server URL %q must begin with http://, https:// or unix:/", shown(s))
	case err != nil:
		return address{}, fmt.Errorf("server URL %q is not valid", shown(s))
	case !isPort(u.Port()):
		return address{}, fmt.Errorf("server URL %q has no port from 1 to 65535", shown(s))
	case u.Hostname() == "":
		return address{}, fmt.Errorf("server URL %q names no host", shown(s))
	case strings.Contains(u.Path, "@"):
		return address{}, fmt.Errorf("server URL %q has a / or ? in its user or password: write it as %%2F or %%3F", shown(s))
	}
	a := address{scheme: u.Scheme, host: u.Host, query: u.RawQuery}
	a.setPath(u.EscapedPath())
	a.name = u.Scheme + "://" + u.Host + a.shownPath()
	if u.User != nil {
		a.password, _ = u.User.Password()
		basic := base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + a.password))
		a.authorization = "Basic " + basic
	}
	return a, nil
}

// setPath takes apart what follows the host: a prefix, a version, and an
// endpoint's own path, which is dropped.
func (a *address) setPath(path string) {
	path = strings.TrimRight(path, "/")
	for _, e := range endpoints {
		path = strings.TrimSuffix(path, e)
	}
	a.prefix, a.version = path, "/v1"
	if cut := strings.LastIndexByte(path, '/'); cut >= 0 && isVersion(path[cut+1:]) {
		a.prefix, a.version = path[:cut], path[cut:]
	}
}

// shownPath is the path as it was given, without what is usual.
func (a *address) shownPath() string {
	if a.version == "/v1" {
		return a.prefix
	}
	return a.prefix + a.version
}

// secrets are the parts that must not be shown.
func (a *address) secrets() []string {
	list := []string{a.password, strings.TrimPrefix(a.authorization, "Basic ")}
	query, _ := url.ParseQuery(a.query)
	for _, values := range query {
		list = append(list, values...)
	}
	return list
}

// isPort reports whether a URL's port, "" for the usual one, is one.
func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return s == "" || err == nil && n > 0
}

// isVersion reports whether a path element is v1, v4 …
func isVersion(s string) bool {
	digits, ok := strings.CutPrefix(s, "v")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// shown is what may be shown of a URL that cannot be parsed: no user, no query.
func shown(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		scheme, rest = "", s
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	rest, _, _ = strings.Cut(rest, "?")
	if ok {
		rest = scheme + "://" + rest
	}
	return cut(rest, 80)
}

// url is the URL of a path such as /v1/chat/completions or /generate.
func (a *address) url(path string) *url.URL {
	if rest, ok := strings.CutPrefix(path, "/v1/"); ok {
		path = a.version + "/" + rest
	}
	path = a.prefix + path
	u := &url.URL{Scheme: a.scheme, Host: a.host, Path: path, RawQuery: a.query}
	if plain, err := url.PathUnescape(path); err == nil {
		u.Path, u.RawPath = plain, path
	}
	return u
}

// Shown is the URL of a path as it may be shown, and the unix socket that it is asked
// through, "" for none.
func (e *Endpoint) Shown(path string) (url, socket string) {
	if e.renamed {
		return e.name + path, ""
	}
	u := e.url(path)
	u.RawQuery = ""
	return u.String(), e.socket
}

// Name is the server as it may be shown and archived: scheme, host and port,
// and a path if it has one besides /v1.
func (e *Endpoint) Name() string { return e.name }
