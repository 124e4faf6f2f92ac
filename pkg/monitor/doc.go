// Package monitor keeps a run's figures and shows them: as one page, as JSON and
// as metrics for Prometheus.
//
//	book := monitor.NewBook(about, []string{"short", "long"}, "dataset", now)
//	flight := book.Sent(id, lane, server, group, now)  // … as things happen
//	figures := book.Figures(live, now)                 // once a second
//	server.Publish(figures)
//
// A [Book] counts; it has no clock and starts no goroutine. A [Server] shows the
// latest [Figures] to any number of people at
//
//	/            the page, whole without scripts; with them it lives
//	/api/run     Figures as JSON
//	/events      the page again whenever there are new figures (server-sent events)
//	/metrics     in the text format of Prometheus
//
// It only reads: GET and HEAD, for clients whose Host header names this machine,
// which keeps pages of other sites out (DNS rebinding). Everything that comes from
// prompts and servers is escaped, and the page may load nothing from elsewhere
// (Content-Security-Policy). A client that is slow is left behind.
package monitor
