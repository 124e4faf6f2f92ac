module github.com/thinkpipe/thinkpipe

go 1.26.0

require (
	github.com/chromedp/cdproto v0.160.1 // tests only: words of the protocol
	github.com/chromedp/chromedp v0.23.1 // tests only: pages in a browser
	github.com/klauspost/compress v1.20.4
	github.com/prometheus/client_model v0.6.3 // tests only: what a metric says
	github.com/prometheus/common v0.74.0 // tests only: reads metrics as Prometheus does
	github.com/rogpeppe/go-internal v1.16.0 // tests only: scripts
	github.com/urfave/cli/v2 v2.27.7
	github.com/valyala/fastjson v1.6.10 // tests only: what it takes, and how fast
	github.com/xrash/smetrics v0.0.0-20240521201337-686a1a2994c1 // near names
	go.uber.org/goleak v1.3.0 // tests only: goroutines that are left
	golang.org/x/sys v0.50.0
	gopkg.in/yaml.v3 v3.0.1 // rules files of validate; recorded HTTP exchanges of tests
)

require (
	github.com/cpuguy83/go-md2man/v2 v2.0.7 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/kr/text v0.2.0 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/pandatix/go-abnf v0.5.5 // indirect
	github.com/russross/blackfriday/v2 v2.1.0 // indirect
	golang.org/x/tools v0.26.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
