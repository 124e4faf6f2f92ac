package monitor

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// files are the page.
//
//go:embed page/page.css page/page.js page/page.html
var files embed.FS

// policy lets the page load its own two files and its own events, nothing else.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// handler is the whole site; ctx ends the streams of events.
func (s *Server) handler(ctx context.Context) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", s.page)
	mux.HandleFunc("/page.css", static("page/page.css", "text/css; charset=utf-8"))
	mux.HandleFunc("/page.js", static("page/page.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("/api/run", s.api)
	mux.HandleFunc("/metrics", s.metrics)
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) { s.events(ctx, w, r) })
	return s.guard(mux)
}

// guard turns away what is not ours to answer.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch {
		case !s.hosts.allow(r.Host):
			http.Error(w, "this is not the name of the machine: go by its address in numbers, or name it, --monitor NAME:PORT", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "this page only shows", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func static(name, contentType string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := files.ReadFile(name)
		if err != nil {
			panic("monitor: " + name + " is not embedded")
		}
		w.Header().Set("Content-Type", contentType)
		w.Write(data)
	}
}

// now are the figures, or an answer that there are none yet.
func (s *Server) now(w http.ResponseWriter) *Figures {
	f, _ := s.latest()
	if f == nil {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "the run has not begun yet", http.StatusServiceUnavailable)
	}
	return f
}

func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	f := s.now(w)
	if f == nil {
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(s.site.appendPage(nil, f))
}

func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	f := s.now(w)
	if f == nil {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(f.AppendJSON(nil))
}

func (s *Server) metrics(w http.ResponseWriter, r *http.Request) {
	f := s.now(w)
	if f == nil {
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(f.AppendMetrics(nil))
}

// events sends the page's body whenever there are new figures, until the client
// leaves or is too slow, or ctx is done: then what was published last is sent
// first.
func (s *Server) events(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // the limit was for the request
	fmt.Fprint(w, "retry: 2000\n\n")
	var sent *Figures
	for {
		f, fresh := s.latest()
		if f != nil && f != sent {
			control.SetWriteDeadline(time.Now().Add(writeTimeout))
			if _, err := w.Write(s.site.appendEvent(nil, f)); err != nil || control.Flush() != nil {
				return
			}
			sent = f
		}
		select {
		case <-fresh:
		case <-r.Context().Done():
			return
		case <-ctx.Done():
			if last, _ := s.latest(); last == sent {
				return
			}
		}
	}
}

// appendEvent appends one event: the page as one JSON string, which has no line end.
func (s *site) appendEvent(dst []byte, f *Figures) []byte {
	page, err := json.Marshal(string(s.appendPage(nil, f)))
	if err != nil {
		panic("monitor: a string that is no JSON")
	}
	dst = append(append(dst, "data: "...), page...)
	return append(dst, "\n\n"...)
}
