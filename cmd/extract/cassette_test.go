package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"gopkg.in/yaml.v3"
)

// recorded is one exchange as a recorder of HTTP traffic kept it.
type recorded struct {
	url             string
	status          int
	request, answer []byte
}

// archive is what gen would have kept of the exchanges: a line each, the id
// saying which it was, from 0. The output file of a batch is an archive
// already.
func archive(all []recorded) []byte {
	var lines []byte
	for n, r := range all {
		if bytes.HasPrefix(r.answer, []byte(`{"id": "batch_req_`)) {
			lines = append(append(lines, r.answer...), '\n')
			continue
		}
		x := record.Exchange{ID: fmt.Sprint("ex_", n), Key: record.Key{ID: record.StringID(fmt.Sprint("exchange ", n))}, Attempt: 1}
		x.Request = record.Request{Method: http.MethodPost, URL: r.url, Body: []byte("null")}
		var body bytes.Buffer
		if json.Compact(&body, r.request) == nil {
			x.Request.Body = body.Bytes()
		}
		x.Request.SHA256 = sum(x.Request.Body)
		x.Response = &record.Response{Status: r.status, Raw: r.answer, SHA256: sum(r.answer)}
		lines = append(x.AppendJSON(lines), '\n')
	}
	return lines
}

func sum(raw []byte) string { return fmt.Sprintf("%x", sha256.Sum256(raw)) }

// readRecorded reads a YAML cassette, or a recording of httprr by its name.
func readRecorded(name string, file []byte) ([]recorded, error) {
	if filepath.Ext(name) == ".httprr" {
		return readTrace(file)
	}
	return readCassette(file)
}

// cassette is what go-vcr, VCR of Ruby and vcrpy write, each a little different.
type cassette struct {
	Interactions     []interaction
	HTTPInteractions []interaction `yaml:"http_interactions"`
}

type interaction struct {
	Request struct {
		URL, URI string
		message  `yaml:",inline"`
	}
	Response struct {
		Status  yaml.Node // a number, or {code, message}
		Code    int
		message `yaml:",inline"`
	}
}

// message is a body: as text, {string}, {encoding, string}, base64 where YAML
// would not do, or the JSON itself, written as YAML.
type message struct {
	Body       yaml.Node
	ParsedBody yaml.Node `yaml:"parsed_body"`
}

func readCassette(file []byte) ([]recorded, error) {
	var c cassette
	if err := yaml.Unmarshal(file, &c); err != nil {
		return nil, err
	}
	var all []recorded
	for _, i := range append(c.Interactions, c.HTTPInteractions...) {
		r := recorded{url: path(i.Request.URL + i.Request.URI), status: i.Response.Code}
		status := &i.Response.Status
		if status.Kind == yaml.MappingNode {
			status = member(status, "code")
		}
		if status.Tag == "!!int" && r.status == 0 {
			r.status, _ = strconv.Atoi(status.Value)
		}
		var errs [2]error
		r.request, errs[0] = i.Request.bytes()
		r.answer, errs[1] = i.Response.bytes()
		if errs[0] != nil || errs[1] != nil || r.status == 0 {
			return nil, fmt.Errorf("exchange %d, status %d: %v", len(all), r.status, errs)
		}
		all = append(all, r)
	}
	return all, nil
}

// path is the path of a URL, or all of it when secrets in it were replaced.
func path(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Path
	}
	return address
}

func (m *message) bytes() ([]byte, error) {
	if m.ParsedBody.Kind != 0 {
		return appendYAML(nil, &m.ParsedBody), nil
	}
	body := &m.Body
	if body.Kind == yaml.MappingNode {
		body = member(body, "string")
	}
	if body.Tag == "!binary" || body.Tag == "!!binary" {
		return io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader([]byte(body.Value))))
	}
	return []byte(body.Value), nil
}

func member(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return new(yaml.Node)
}

// appendYAML appends the JSON that a YAML value stands for, its keys in order.
func appendYAML(dst []byte, n *yaml.Node) []byte {
	switch n.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		object := n.Kind == yaml.MappingNode
		brackets := "[]"
		if object {
			brackets = "{}"
		}
		dst = append(dst, brackets[0])
		for i, v := range n.Content {
			switch {
			case object && i%2 == 1:
				dst = append(dst, ':')
			case i > 0:
				dst = append(dst, ',')
			}
			dst = appendYAML(dst, v)
		}
		return append(dst, brackets[1])
	case yaml.AliasNode:
		return appendYAML(dst, n.Alias)
	}
	switch n.Tag {
	case "!!int", "!!float", "!!bool":
		return append(dst, n.Value...)
	case "!!null":
		return append(dst, "null"...)
	}
	return jsonscan.AppendString(dst, n.Value)
}

// readTrace reads a recording of golang.org/x's httprr: a line that names the
// format, then for each exchange the lengths of request and response, and both
// as they went over the wire.
func readTrace(file []byte) ([]recorded, error) {
	head, rest, _ := bytes.Cut(file, []byte("\n"))
	if string(head) != "httprr trace v1" {
		return nil, fmt.Errorf("begins with %.40q", head)
	}
	var all []recorded
	for len(rest) > 0 {
		var n, m int
		var lengths []byte
		lengths, rest, _ = bytes.Cut(rest, []byte("\n"))
		if _, err := fmt.Sscan(string(lengths), &n, &m); err != nil || n+m > len(rest) {
			return nil, fmt.Errorf("lengths %.40q before %d bytes: %v", lengths, len(rest), err)
		}
		r, err := readWire(rest[:n], rest[n:n+m])
		if err != nil {
			return nil, err
		}
		all, rest = append(all, r), rest[n+m:]
	}
	return all, nil
}

func readWire(request, response []byte) (r recorded, err error) {
	q, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(request)))
	if err != nil {
		return r, err
	}
	a, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(response)), q)
	if err != nil {
		return r, err
	}
	r.url, r.status = q.URL.Path, a.StatusCode
	if r.request, err = io.ReadAll(q.Body); err == nil {
		r.answer, err = io.ReadAll(a.Body)
	}
	return r, err
}
