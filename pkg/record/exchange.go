package record

import (
	"bytes"
	"encoding/base64"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Exchange is one attempt as gen archives it: contract §4. It is an OpenAI
// Batch output line with more keys.
type Exchange struct {
	ID       string // "ex_…"
	Key      Key
	Attempt  int  // from 1
	Retried  bool // another attempt follows
	Part     Part // the beginning of the answer, where it is gone on with
	Probe    bool // asked by gen itself before the prompts: no data, whatever came
	Dead     bool // asking again cannot help
	Request  Request
	Response *Response // nil when nothing came
	Error    *Error    // nil for a complete answer
	Server   string    // without user, password and key
	Lane     string
	Started  time.Time
	Timing   Timing
	Run      string
	Epoch    int
	Meta     []byte // raw JSON object; nil is {}
}

// Request is what was sent.
type Request struct {
	Method string
	URL    string // the path
	Body   []byte // raw JSON, as sent
	SHA256 string // hex, of Body

	// Fingerprint is the SHA-256, in hex, of the body that was to be sent, "" when
	// Body is that one: it may have got a name of this sending (SGLang's rid), or
	// fewer tokens for its answer.
	Fingerprint string
	// ClampedFrom is max_tokens of the body that was to be sent, when Body has
	// fewer because they did not fit the context; else 0.
	ClampedFrom int64
}

// Response is what came, byte for byte.
type Response struct {
	Status  int
	ID      string      // the server's request id, "" when it gave none
	Headers [][2]string // allowed ones, lower-case names, in alphabetical order
	Raw     []byte      // every byte received
	SHA256  string      // hex, of Raw
	Decoded string      // the content encoding that was undone, "" for none
}

// ErrorCodes is the closed list of codes of an Error (contract §4).
func ErrorCodes() []string {
	return []string{
		"connect", "dns", "tls", "http.429", "http.5xx", "http.4xx", "context-overflow",
		"timeout.connect", "timeout.first-byte", "timeout.idle", "timeout.total",
		"stream.cut", "stream.error", "body.cut", "body.error", "body.not-completion", "aborted",
	}
}

// Error is why there is no complete answer.
type Error struct {
	Code    string // one of ErrorCodes
	Message string
}

// Timing is how long an attempt took.
type Timing struct {
	Queued, FirstByte, Total time.Duration
}

// AppendJSON appends the exchange as one JSON object on one line, without a newline.
func (x *Exchange) AppendJSON(dst []byte) []byte {
	dst = jsonscan.AppendString(append(dst, `{"id":`...), x.ID)
	dst = x.Key.ID.AppendJSON(append(dst, `,"custom_id":`...))
	dst = appendInt(append(dst, `,"sample":`...), int64(x.Key.Sample))
	dst = appendInt(append(dst, `,"turn":`...), int64(x.Key.Turn))
	dst = appendInt(append(dst, `,"attempt":`...), int64(x.Attempt))
	dst = strconv.AppendBool(append(dst, `,"retried":`...), x.Retried)
	if x.Part.ID != "" {
		dst = x.Part.AppendJSON(append(dst, `,"continues":`...))
	}
	if x.Probe {
		dst = append(dst, `,"probe":true`...)
	}
	dst = x.Request.appendJSON(append(dst, `,"request":`...))
	dst = x.Response.appendJSON(append(dst, `,"response":`...))
	dst = x.Error.appendJSON(append(dst, `,"error":`...))
	dst = strconv.AppendBool(append(dst, `,"dead":`...), x.Dead)
	dst = jsonscan.AppendString(append(dst, `,"server":`...), x.Server)
	dst = jsonscan.AppendString(append(dst, `,"lane":`...), x.Lane)
	dst = jsonscan.AppendString(append(dst, `,"started_at":`...), x.Started.UTC().Format("2006-01-02T15:04:05.000Z"))
	dst = x.Timing.appendJSON(append(dst, `,"timing":`...))
	dst = jsonscan.AppendString(append(dst, `,"run":`...), x.Run)
	dst = appendInt(append(dst, `,"server_epoch":`...), int64(x.Epoch))
	dst = appendRaw(append(dst, `,"meta":`...), x.Meta, "{}")
	return append(dst, '}')
}

func (r *Request) appendJSON(dst []byte) []byte {
	dst = jsonscan.AppendString(append(dst, `{"method":`...), r.Method)
	dst = jsonscan.AppendString(append(dst, `,"url":`...), r.URL)
	dst = appendRaw(append(dst, `,"body":`...), r.Body, "null")
	dst = jsonscan.AppendString(append(dst, `,"sha256":`...), r.SHA256)
	if r.Fingerprint != "" {
		dst = jsonscan.AppendString(append(dst, `,"fingerprint":`...), r.Fingerprint)
	}
	if r.ClampedFrom > 0 {
		dst = appendInt(append(dst, `,"clamped_from":`...), r.ClampedFrom)
	}
	return append(dst, '}')
}

func (e *Error) appendJSON(dst []byte) []byte {
	if e == nil {
		return append(dst, "null"...)
	}
	dst = jsonscan.AppendString(append(dst, `{"code":`...), e.Code)
	dst = jsonscan.AppendString(append(dst, `,"message":`...), e.Message)
	return append(dst, '}')
}

func (t *Timing) appendJSON(dst []byte) []byte {
	dst = appendMillis(append(dst, `{"queued_ms":`...), t.Queued)
	dst = appendMillis(append(dst, `,"first_byte_ms":`...), t.FirstByte)
	dst = appendMillis(append(dst, `,"total_ms":`...), t.Total)
	return append(dst, '}')
}

func (r *Response) appendJSON(dst []byte) []byte {
	if r == nil {
		return append(dst, "null"...)
	}
	dst = appendInt(append(dst, `{"status_code":`...), int64(r.Status))
	dst = jsonscan.AppendString(append(dst, `,"request_id":`...), r.ID)
	dst = append(dst, `,"headers":{`...)
	for i, h := range r.Headers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonscan.AppendString(dst, h[0])
		dst = jsonscan.AppendString(append(dst, ':'), h[1])
	}
	dst = append(dst, '}')
	if r.Decoded != "" {
		dst = jsonscan.AppendString(append(dst, `,"content_encoding":`...), r.Decoded)
	}
	dst = appendReceived(dst, r.Raw)
	dst = jsonscan.AppendString(append(dst, `,"sha256":`...), r.SHA256)
	return append(dst, '}')
}

// appendReceived keeps bytes exactly: as they stand when they are one JSON value
// on one line, else as text, else as base64.
func appendReceived(dst, raw []byte) []byte {
	switch {
	case oneValue(raw):
		return append(append(dst, `,"body":`...), raw...)
	case utf8.Valid(raw):
		return jsonscan.AppendString(append(dst, `,"text":`...), raw)
	}
	dst = append(dst, `,"base64":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, raw)
	return append(dst, '"')
}

// oneValue reports whether raw is exactly one JSON value on one line: no white
// space around it, which a reader of the line could not give back, and no line end in it.
func oneValue(raw []byte) bool {
	if len(raw) == 0 || space(raw[0]) || space(raw[len(raw)-1]) {
		return false
	}
	for _, c := range raw {
		if c == '\n' || c == '\r' {
			return false
		}
	}
	return jsonscan.Valid(raw) && !deep(raw)
}

// maxNesting leaves room for the exchange around a body: a line may nest to 10,000.
const maxNesting = 9900

// deep reports whether a value nests too deep to stand inside another.
func deep(raw []byte) bool {
	if bytes.Count(raw, []byte{'{'})+bytes.Count(raw, []byte{'['}) < maxNesting {
		return false
	}
	wrapped := bytes.Repeat([]byte{'['}, 10000-maxNesting)
	wrapped = append(append(wrapped, raw...), bytes.Repeat([]byte{']'}, 10000-maxNesting)...)
	return !jsonscan.Valid(wrapped)
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func appendMillis(dst []byte, d time.Duration) []byte {
	return strconv.AppendFloat(dst, float64(d.Microseconds())/1e3, 'f', -1, 64)
}
