# Needs Go, make and sh. "make" alone says what there is.

GO      ?= go
PREFIX  ?= /usr/local
FUZZTIME ?= 10s
COMMANDS = shard gen extract validate

# A checkout that git refuses to read (another owner) would fail the build over
# its version stamp; without one --version says so.
STAMP := -buildvcs=$(shell git status >/dev/null 2>&1 && echo auto || echo false)

.PHONY: help build demo test lint bench bench-gen bench-shard chaos soak cluster fuzz install clean

help: ## show this
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 18

build: ## the four commands into bin/
	CGO_ENABLED=0 $(GO) build $(STAMP) -ldflags='-s -w' -o bin/ $(COMMANDS:%=./cmd/%)

demo: build ## the whole pipeline on sample prompts, without a server
	PATH="$(CURDIR)/bin:$$PATH" scripts/demo/run

test: ## every test, with the race detector where there is a C compiler
	@GO="$(GO)" scripts/test ./...

lint: ## formatting, go vet, the rules of the house
	@unformatted=$$(gofmt -l cmd pkg scripts); test -z "$$unformatted" || { echo "not formatted: $$unformatted" >&2; exit 1; }
	$(GO) vet ./...
	$(GO) test ./cmd/internal/archtest

bench: build ## extract and validate against what people use instead, as ratios
	$(GO) run ./scripts/bench

bench-gen: build ## gen with 10,000 requests in flight beside aiohttp; its memory over a million prompts
	$(GO) run ./scripts/bench/gen

bench-shard: build ## shard against split, and what memory an anti-join takes
	$(GO) run ./scripts/bench/shard

chaos: build ## break gen at random a thousand times and look what is lost
	$(GO) run ./scripts/chaos

soak: build ## two minutes of closing connections and a stopped run: nothing fails, nothing twice
	$(GO) run ./scripts/chaos -soak

cluster: build ## Slurm jobs through mishaps, on a cluster in a folder (ten minutes; root installs Slurm by apt-get)
	scripts/slurm/try

fuzz: ## every fuzz target for FUZZTIME (10s)
	@GO="$(GO)" scripts/fuzz $(FUZZTIME)

install: build ## into PREFIX/bin (/usr/local/bin)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(COMMANDS:%=bin/%) "$(DESTDIR)$(PREFIX)/bin"

clean: ## remove what the others made
	rm -rf bin demo/out
