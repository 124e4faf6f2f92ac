package main

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// command is gen and its subcommands.
func command() *cmdline.Command {
	return &cmdline.Command{
		Name:        "gen",
		Usage:       "ask a server and keep every byte it sends",
		Arguments:   "[FILE …]",
		Description: manual,
		Examples:    examples,
		Flags:       slices.Concat(serverFlags(), requestFlags(), runFlags(), requireFlags(), watchFlags(), outputFlags()),
		Shared:      cmdline.Reads | cmdline.Watched,
		Subcommands: []*cmdline.Command{probeCommand(), statusCommand(), simulateCommand()},
		Run:         run,
	}
}

const manual = `Reads prompts, one JSON object a line, in any of these shapes: {"id","messages"},
{"id","prompt"}, ShareGPT {"id","conversations"}, an OpenAI Batch request, {"question_id","turns"},
or any object with --prompt-field. "params" of a prompt are fields of its request; "lane" names
its lane; other keys travel in meta. Writes one exchange for each attempt: request and response as
they went over the wire. extract makes samples of them.

With -o FILE the archive grows durably, and the same command again asks what is missing. Beside it
stand FILE.run.json, what servers and command made it, and FILE.probe, the probes: every server
is asked one question before the prompts, unless there is nothing to ask. Memory grows by about
60 bytes for each answer that is wanted, with --turns all by 100 for each turn, and what cut answers
and later turns go on from is kept in a file in TMPDIR.

With --turns all the account counts turns: those that nothing can ask because the conversation
ended before them are dead.

SIGINT, SIGTERM and a terminal that closes drain: nothing new is sent, answers in flight are waited
for; a second signal ends the run at once. SIGUSR1 pauses the run, SIGUSR2 goes on.`

const examples = `gen --server http://host:8000 -o raw.jsonl.zst prompts.jsonl
gen --server 'sim:?fail=500:0.05' -c 8 prompts.jsonl | extract | validate --allow simulated
gen --server $URL --short-concurrency 150 --short-max-tokens 10240 --long-concurrency 32 \
    --long-max-tokens 16384 --long-when 'chars>4000' -o raw.jsonl.zst prompts.jsonl`

func serverFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "server", Usage: "ask the server at `URL`; repeat for several. 'sim:' is a simulated one, for rehearsals"},
		&cli.StringFlag{Name: "servers-file", Usage: "ask the servers in `FILE`, too, one URL a line; concurrency=N there wins over the flag. SIGHUP reads it again"},
		&cli.StringFlag{Name: "api", Value: "chat", Usage: "`NAME` of the endpoint: chat, completions, responses, or generate (SGLang's)"},
		&cli.StringFlag{Name: "model", Usage: "`NAME` of the model", DefaultText: "asked of the server"},
		&cli.StringFlag{Name: "api-key-env", Usage: "send the key that is in the environment variable `NAME`"},
		&cli.StringSliceFlag{Name: "header", Hidden: true, Usage: "send a header whose value is in an environment variable: `'Name=env:VAR'`; repeat"},
		&cli.StringFlag{Name: "ca-file", Hidden: true, Usage: "trust the certificates in `FILE` (PEM), too"},
		&cli.StringFlag{Name: "timeout", Hidden: true, Usage: "`CLOCKS` of an exchange, 0 is no limit: connect=10s,first-byte=0,idle=10m,total=0"},
	}
}

func requestFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "max-tokens", Usage: "`N` tokens at most per answer"},
		&cli.Int64Flag{Name: "continue", Usage: "go on with answers that the token limit cut, also those of an earlier run, until they have `N` tokens in all; chat needs vLLM or SGLang"},
		&cli.BoolFlag{Name: "clamp-max-tokens", Usage: "where prompt and --max-tokens exceed the context, ask again for as many tokens as fit"},
		&cli.Float64Flag{Name: "temperature", Usage: "sample with temperature `T`"},
		&cli.Int64Flag{Name: "seed", Usage: "seed of the first sample; sample K gets `N` + K", DefaultText: "none for the first, made of the request for the others"},
		&cli.StringSliceFlag{Name: "param", Usage: "set a field of the request, `KEY=VALUE`; VALUE is JSON, or else, where it begins with neither { nor [, a string; repeat"},
		&cli.IntFlag{Name: "samples", Value: 1, Usage: "get `N` answers to each prompt, by N requests"},
		&cli.BoolFlag{Name: "stream", Usage: "ask for event streams; they are archived as they came"},
		&cli.BoolFlag{Name: "token-ids", Usage: "ask for the ids of the tokens, too: vLLM; SGLang without --stream; --api generate"},
		&cli.StringFlag{Name: "prompt-field", Usage: "the prompt is in field `NAME`"},
		&cli.StringFlag{Name: "id-field", Usage: "the id is in field `NAME`", DefaultText: "id, custom_id, uuid, question_id or task_id"},
		&cli.StringFlag{Name: "system", Usage: "begin with the system message `TEXT` where a prompt has none"},
		&cli.StringFlag{Name: "turns", Value: "last", Usage: "ask `WHICH` turns of a conversation: last; one, the first; or all of the assistant's, on the answers of this run, with recorded results of tools"},
		&cli.StringFlag{Name: "history-reasoning", Usage: "with --turns all: `WHAT` becomes of the thinking of earlier turns: keep, or drop once the user speaks again", DefaultText: "as the family is used to"},
		&cli.StringFlag{Name: "history-key", Hidden: true, Usage: "send the thinking of earlier turns back under `NAME`; content: within the text", DefaultText: "the one it came under, else reasoning_content"},
	}
}

func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "concurrency", Aliases: []string{"c"}, Value: 32, Usage: "keep `N` requests in flight"},
		&cli.IntFlag{Name: "short-concurrency", Usage: "with two lanes: `N` requests of the short one in flight"},
		&cli.IntFlag{Name: "short-max-tokens", Usage: "`N` tokens at most per answer of the short lane"},
		&cli.IntFlag{Name: "long-concurrency", Usage: "with two lanes: `N` requests of the long one in flight"},
		&cli.IntFlag{Name: "long-max-tokens", Usage: "`N` tokens at most per answer of the long lane"},
		&cli.StringFlag{Name: "long-when", Usage: "what belongs to the long lane: `'chars>N'` or FIELD=VALUE; a prompt's own lane comes first"},
		&cli.IntFlag{Name: "attempts", Value: 6, Usage: "send a request `N` times at most; 429 and 503 do not count unless N is 1"},
		&cli.StringFlag{Name: "rate", Usage: "send at most `N/s` requests (or N/m, N/h), evenly spread"},
		&cli.DurationFlag{Name: "deadline", Hidden: true, Usage: "send nothing new after `TIME`, exit 75: the same command resumes"},
		&cli.DurationFlag{Name: "patience", Value: scheduler.DefaultPatience, Hidden: true, Usage: "stop with 75 when nothing was answered for `TIME` because servers ask to slow down (429, 503); 0 never"},
		&cli.DurationFlag{Name: "ramp", Hidden: true, Usage: "let the requests in flight grow from a few to all within `TIME`"},
		&cli.DurationFlag{Name: "grace", Value: 20 * time.Second, Usage: "wait `TIME` for answers in flight when a signal stops the run"},
	}
}

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "append to the archive `FILE` and resume what it lacks; DIR/ begins a new file in a folder and resumes all of them, 'raw/{NAME}.jsonl.zst' has one for each value of a field; beside each stand FILE.run.json (what made it) and FILE.probe (the probes)", DefaultText: "standard output"},
		&cli.BoolFlag{Name: "no-resume", Usage: "refuse an archive that exists"},
		&cli.BoolFlag{Name: "accept-changed", Usage: "take archived answers although their requests differ from today's"},
		&cli.StringFlag{Name: "retry", Usage: "ask dead ones again, too: those of a failure `CLASS` such as http.4xx, or all"},
		&cli.StringSliceFlag{Name: "skip-done", Usage: "count prompts as done that have a success in the archive `FILE`, or in those of a folder or a template; repeat"},
		&cli.BoolFlag{Name: "tee", Usage: "write to standard output as well"},
		&cli.StringFlag{Name: "stamp", Usage: "write `FILE` on exit 0 only: what Make depends on"},
		&cli.StringFlag{Name: "status", Usage: "keep the account in `FILE`, as JSON"},
		&cli.StringFlag{Name: "pid-file", Usage: "keep the process id in `FILE` while the run lasts; scripts/stop takes it"},
		&cli.DurationFlag{Name: "show", Usage: "every `TIME` show a shortened answer, so that somebody looks"},
		&cli.StringFlag{Name: "monitor", Usage: "show the run as a page at `ADDR`, :9090 or HOST:9090, with Prometheus metrics at /metrics; without HOST for this machine alone"},
		&cli.StringFlag{Name: "by", Usage: "count by the values of `FIELD` as well, for --monitor and --status", DefaultText: "dataset, or the archives of a template"},
		&cli.BoolFlag{Name: "dry-run", Usage: "send nothing, show the first request as a curl line"},
		&cli.Int64Flag{Name: "expect-count", Usage: "fewer than `N` prompts are an error, for a producer that may die"},
		&cli.DurationFlag{Name: "sync-interval", Value: time.Second, Hidden: true, Usage: "sync the archive to disk at least every `TIME`"},
	}
}

// config is what the command line means, checked.
type config struct {
	servers     []string
	serversFile string
	fleet       fleet // what it said at first
	headers     [][2]string
	apiKey      string
	caFile      string
	timeouts    endpoint.Timeouts

	reader   prompt.Reader
	builder  prompt.Builder
	history  prompt.History
	lanes    []lane
	longWhen *prompt.Condition
	samples  int

	require    requirement
	family     string // of the thinking, for what gen looks at
	noProbe    bool
	canary     int
	maxBadRate float64
	poll       time.Duration // how often servers are asked what they are, 0 never

	clamp      bool
	continueTo int64 // tokens of an answer that is gone on with when it is cut, 0: none is
	attempts   int
	rate       float64 // requests per second, 0 no limit
	ramp       time.Duration
	deadline   time.Duration // 0 never
	patience   time.Duration // 0 for ever
	grace      time.Duration

	archive       string          // the file, with a folder the new one in it
	folder        bool            // others in its folder are resumed
	template      *shard.Template // an archive for each value
	resume        bool
	policy        policy
	skipDone      []string
	tee           bool
	stamp, status string
	expect        int64
	syncInterval  time.Duration
	show          time.Duration
	monitor       string // address of the page, "" for none
	by            string // field whose values are counted apart
	pidFile       string
	dryRun        bool
}

// parse makes a config of the flags. It opens nothing but --servers-file.
func parse(s *cmdline.Session) (*config, error) {
	if err := s.RefuseEmpty(neverEmpty...); err != nil {
		return nil, err
	}
	c := &config{
		samples: s.Int("samples"), attempts: s.Int("attempts"), clamp: s.Bool("clamp-max-tokens"), grace: s.Duration("grace"),
		ramp: s.Duration("ramp"), deadline: s.Duration("deadline"), patience: s.Duration("patience"),
		archive: s.String("output"), resume: !s.Bool("no-resume"),
		policy:   policy{again: retry(s.String("retry")), acceptChanged: s.Bool("accept-changed")},
		skipDone: s.StringSlice("skip-done"), tee: s.Bool("tee"),
		stamp: s.String("stamp"), status: s.String("status"), expect: s.Int64("expect-count"),
		syncInterval: s.Duration("sync-interval"), show: s.Duration("show"),
		monitor: s.String("monitor"), by: s.String("by"),
		pidFile: s.String("pid-file"), dryRun: s.Bool("dry-run"),
	}
	for _, step := range []func(*cmdline.Session) error{c.parseServer, c.parsePrompts, c.parseRequest, c.parseRequire, c.parseWatch, c.parseLanes, c.checkFleet, c.parseArchive, c.check} {
		if err := step(s); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// neverEmpty are flags that mean nothing without a value: with --model of an unset variable
// the server's own model would answer.
var neverEmpty = []string{
	"servers-file", "model", "api-key-env", "ca-file", "prompt-field", "id-field", "long-when", "family", "rate",
	"output", "retry", "skip-done", "stamp", "status", "pid-file", "monitor", "by",
}

func (c *config) parseServer(s *cmdline.Session) (err error) {
	c.servers, c.serversFile = s.StringSlice("server"), s.String("servers-file")
	if c.fleet, err = readFleet(c.serversFile); err != nil {
		return cmdline.Usagef("--servers-file: %w", err)
	}
	if len(c.servers) == 0 && c.serversFile == "" {
		return cmdline.WithHint(cmdline.Usagef("no --server"), serverHints...)
	}
	c.caFile = s.String("ca-file")
	if c.timeouts, err = parseTimeouts(s.String("timeout")); err != nil {
		return err
	}
	if name := s.String("api-key-env"); name != "" {
		if c.apiKey, err = fromEnv("--api-key-env", name); err != nil {
			return err
		}
	}
	for _, h := range s.StringSlice("header") {
		name, value, ok := strings.Cut(h, "=env:")
		if !ok || name == "" { // it may hold a key
			return cmdline.WithHint(cmdline.Usagef("--header: a value is not 'Name=env:VAR'"),
				"values of headers are taken from the environment, where other users cannot see them")
		}
		if value, err = fromEnv("--header", value); err != nil {
			return err
		}
		c.headers = append(c.headers, [2]string{name, value})
	}
	return nil
}

// fromEnv takes a secret from the environment. Its error does not repeat the name:
// who gave the key itself would find it in a log.
func fromEnv(flag, name string) (string, error) {
	value := os.Getenv(name)
	if value == "" {
		return "", cmdline.WithHint(cmdline.Usagef("%s: no environment variable of this name is set", flag), "it takes the name of the variable, not the key: export KEY=… first, then KEY here")
	}
	return value, nil
}

// parseTimeouts reads "connect=10s,idle=10m"; clocks that are not named keep
// their defaults.
func parseTimeouts(text string) (endpoint.Timeouts, error) {
	t := endpoint.DefaultTimeouts()
	clocks := map[string]*time.Duration{"connect": &t.Connect, "first-byte": &t.FirstByte, "idle": &t.Idle, "total": &t.Total}
	if text == "" {
		return t, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		clock := clocks[name]
		if clock == nil {
			return t, cmdline.Usagef("--timeout: %s is not one of connect=, first-byte=, idle=, total=", cmdline.Quote(part))
		}
		d, err := time.ParseDuration(value)
		if err != nil || d < 0 {
			return t, cmdline.Usagef("--timeout: %s is not a time such as 30s or 10m", cmdline.Quote(part))
		}
		*clock = d
	}
	return t, nil
}

func (c *config) parsePrompts(s *cmdline.Session) error {
	c.reader = prompt.Reader{IDField: s.String("id-field"), PromptField: s.String("prompt-field"), Turns: prompt.Turns(s.String("turns"))}
	switch c.reader.Turns {
	case prompt.LastTurn, prompt.OneTurn, prompt.AllTurns:
		return c.parseHistory(s)
	}
	return cmdline.Usagef("--turns: %s is not all, last or one", cmdline.Quote(string(c.reader.Turns)))
}

func (c *config) parseRequest(s *cmdline.Session) error {
	api, ok := prompt.ParseAPI(s.String("api"))
	if !ok {
		return cmdline.Usagef("--api: %s is not one of chat, completions, generate, responses", cmdline.Quote(s.String("api")))
	}
	c.builder = prompt.Builder{API: api, Model: s.String("model"), System: s.String("system"), Stream: s.Bool("stream")}
	if err := c.parseTokenIDs(s); err != nil {
		return err
	}
	if err := c.parseContinue(s); err != nil {
		return err
	}
	if s.IsSet("max-tokens") {
		c.builder.Fields = append(c.builder.Fields, number("max_tokens", s.Int("max-tokens")))
	}
	if s.IsSet("temperature") {
		value := strconv.AppendFloat(nil, s.Float64("temperature"), 'g', -1, 64)
		c.builder.Fields = append(c.builder.Fields, prompt.Field{Key: "temperature", Value: value})
	}
	if s.IsSet("seed") {
		seed := s.Int64("seed")
		c.builder.Seed = &seed
	}
	for _, param := range s.StringSlice("param") {
		field, err := parseParam(param)
		if err != nil {
			return err
		}
		c.builder.Fields = append(c.builder.Fields, field)
	}
	return nil
}

func number(key string, n int) prompt.Field {
	return prompt.Field{Key: key, Value: strconv.AppendInt(nil, int64(n), 10)}
}

// ownFlags are the fields of a request that have a flag of their own.
var ownFlags = map[string]string{"model": "--model", "stream": "--stream", "n": "--samples", "messages": "a prompt", "prompt": "a prompt"}

func parseParam(text string) (prompt.Field, error) {
	key, value, ok := strings.Cut(text, "=")
	if !ok || key == "" {
		return prompt.Field{}, cmdline.Usagef("--param: %s is not KEY=VALUE", cmdline.Quote(text))
	}
	if flag := ownFlags[key]; flag != "" {
		return prompt.Field{}, cmdline.Usagef("--param: %s is set by %s", key, flag)
	}
	var compact bytes.Buffer // on one line, or it could not be archived
	if jsonscan.Valid([]byte(value)) && json.Compact(&compact, []byte(value)) == nil {
		return prompt.Field{Key: key, Value: compact.Bytes()}, nil
	}
	var d jsonscan.Doc
	if err := d.Scan([]byte(value)); strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") { // every request would be refused
		return prompt.Field{}, cmdline.WithHint(cmdline.Usagef("--param: %s: %w", key, err), `JSON has quotes, and a shell wants others around it: --param 'key={"a":true}'`)
	}
	return prompt.Field{Key: key, Value: jsonscan.AppendString(nil, value)}, nil
}

// check refuses values and combinations that make no sense.
func (c *config) check(s *cmdline.Session) error {
	if err := atLeastOne(s, "max-tokens", "short-max-tokens", "long-max-tokens", "samples", "attempts"); err != nil {
		return err
	}
	for _, flag := range []string{"tee", "no-resume", "accept-changed", "retry"} {
		if s.IsSet(flag) && c.archive == "" {
			return cmdline.Usagef("--%s needs -o FILE", flag)
		}
	}
	for _, flag := range []string{"deadline", "ramp", "patience", "grace", "show"} {
		if d := s.Duration(flag); d < 0 { // a time of day that is over, as scripts reckon it, is no "never"
			return cmdline.Usagef("--%s: %v is below 0", flag, d)
		}
	}
	if c.expect < 0 {
		return cmdline.Usagef("--expect-count: %d is below 0", c.expect)
	}
	if again := string(c.policy.again); again != "" && again != "all" && !slices.Contains(record.ErrorCodes(), again) {
		return cmdline.WithHint(cmdline.Usagef("--retry: %s is no failure class", cmdline.Quote(again)), "all, or one of "+strings.Join(record.ErrorCodes(), ", "))
	}
	if rate := s.String("rate"); rate != "" {
		var err error
		if c.rate, err = scheduler.ParseRate(rate); err != nil {
			return cmdline.Usagef("--rate: %w", err)
		}
	}
	if c.syncInterval <= 0 {
		return cmdline.Usagef("--sync-interval: %v is not above 0", c.syncInterval)
	}
	c.by = c.groupBy()
	if c.monitor != "" {
		if _, _, err := monitor.ParseAddr(c.monitor); err != nil {
			return cmdline.Usagef("--monitor: %w", err)
		}
	}
	if err := c.checkBeside(s); err != nil {
		return err
	}
	return s.Distinct(s.PathFlags("status", "stamp", "pid-file"), s.PathFlags("skip-done"))
}
