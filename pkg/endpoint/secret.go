package endpoint

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

const (
	// minSecret: shorter ones are words of every message, and no secrets.
	minSecret = 4
	// minStart of a secret says enough of it to be hidden: sk-proj- does not.
	minStart = 9
	// maxLook bounds what is looked at of a text. It holds several secrets.
	maxLook = 32 << 10
)

// spellings are the secrets in all the ways in which a server may repeat them,
// longest first.
func spellings(secrets []string) []string {
	var all []string
	for _, s := range secrets {
		quoted := string(jsonscan.AppendString(nil, s))
		all = append(all, s, url.QueryEscape(s), url.PathEscape(s), quoted[1:len(quoted)-1],
			strings.ReplaceAll(s, "/", `\/`), base64.StdEncoding.EncodeToString([]byte(s)))
	}
	all = slices.DeleteFunc(all, func(s string) bool { return len(s) < minSecret })
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(all)
}

// Hide is text of this server that may be shown: without its secrets, and not
// longer than a message is.
func (e *Endpoint) Hide(s string) string { return e.words(s, maxWords) }

// words is text that may be shown: without secrets, then cut to about n bytes.
func (e *Endpoint) words(s string, n int) string {
	s = s[:min(len(s), maxLook)]
	for _, secret := range e.secrets {
		s = withoutStart(strings.ReplaceAll(s, secret, "***"), secret)
	}
	return cut(s, n)
}

// withoutStart is s without the beginning of a secret at its end, where a text may
// have been cut.
func withoutStart(s, secret string) string {
	for n := min(len(secret)-1, len(s)); n >= minStart; n-- {
		if strings.HasSuffix(s, secret[:n]) {
			return s[:len(s)-n]
		}
	}
	return s
}

// Redact is a text of any length without the secrets of this server.
func (e *Endpoint) Redact(s string) string {
	for _, secret := range e.secrets {
		s = strings.ReplaceAll(s, secret, "***")
	}
	return s
}
