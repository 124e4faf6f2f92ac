package endpoint

import (
	"strings"
	"testing"
	"time"
)

// FuzzURLKeepsSecrets: whatever a URL looks like, what stands before an @ or
// behind a ? is never shown.
func FuzzURLKeepsSecrets(f *testing.F) {
	for _, s := range [][2]string{{"http", "h:8000"}, {"https", "h/v1?a=b"}, {"http://x/", "h"}, {"", ":bad:"}, {"http", "[::1"}, {"http", "%zz"}} {
		f.Add(s[0], s[1])
	}
	const secret = "q7Xv9s3cr3t"
	f.Fuzz(func(t *testing.T, scheme, rest string) {
		for _, url := range []string{scheme + "://u:" + secret + "@" + rest, scheme + "://" + rest + "?key=" + secret} {
			if strings.Contains(url[:strings.Index(url, secret)], "#") {
				continue // a fragment: no user, no query
			}
			e, err := New(Config{URL: url})
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%q: %v", url, err)
			}
			if err == nil && strings.Contains(e.Name(), secret) {
				t.Errorf("%q: named %s", url, e.Name())
			}
		}
	})
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "7", "1.5", "-1", "1e309", "Mon, 30 Nov 2026 11:41:30 GMT", "0x10"} {
		f.Add(s)
	}
	now := time.Date(2026, 11, 30, 11, 41, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, header string) {
		if d := ParseRetryAfter(header, now); d < 0 {
			t.Errorf("%q: %v", header, d)
		}
	})
}
