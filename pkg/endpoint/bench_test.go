package endpoint

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkDo is client and server together: 2 KB there, 12 KB back.
func BenchmarkDo(b *testing.B) {
	answer := strings.Repeat("x", 12<<10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Length", "12288")
		io.WriteString(w, answer)
	}))
	defer s.Close()
	e, err := New(Config{URL: s.URL, Timeouts: DefaultTimeouts()})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	r := Request{Path: "/v1/chat/completions", Body: []byte(strings.Repeat("y", 2<<10))}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if reply := e.Do(b.Context(), r); reply.Error != nil {
				b.Fatal(*reply.Error)
			}
		}
	})
}
