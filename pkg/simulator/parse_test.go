package simulator

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	f := func(keys string, change func(c *Config)) {
		t.Helper()
		want := Default()
		change(&want)
		got, err := Parse(keys)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %v, want %+v", keys, got, err, want)
		}
	}
	f("", func(c *Config) {})
	f("engine=vllm", func(c *Config) { c.Engine = "vllm" })
	f("family=deepseek-r1&", func(c *Config) { c.Family = "deepseek_r1" })
	f("parser=on", func(c *Config) { c.Parser = true })
	f("parser=none&opener=model", func(c *Config) { c.OpenModel = true })
	f("latency=0&tpot=1.5ms", func(c *Config) { c.Latency, c.TPOT = 0, 1500*time.Microsecond })
	f("tokens=5000&slots=32", func(c *Config) { c.Tokens, c.Slots = 5000, 32 })
	f("fail=429:0.05,500:0.01", func(c *Config) { c.Fail = []Fault{{429, 0.05}, {500, 0.01}} })
	f("fail=429%3A0.05", func(c *Config) { c.Fail = []Fault{{429, 0.05}} })
	f("fail=", func(c *Config) {})
	f("cut=0.1&stall=0.2&reset=0.3&empty=1", func(c *Config) { c.Cut, c.Stall, c.Reset, c.Empty = 0.1, 0.2, 0.3, 1 })
	f("bad-after=100&idle-close=50ms&seed=18446744073709551615", func(c *Config) {
		c.BadAfter, c.IdleClose, c.Seed = 100, 50*time.Millisecond, 1<<64-1
	})
}

func TestParseErrors(t *testing.T) {
	f := func(keys, want string) {
		t.Helper()
		if _, err := Parse(keys); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", keys, err, want)
		}
	}
	f("latncy=3s", `no key "latncy"; the keys are bad-after, calls, context, cut, empty, engine, fail, family, idle-close, latency, new-after, opener, parallel, parser, reset, seed, slots, stall, tokens, tpot`)
	f("seed", "seed has no value")
	f("cut=0&cut=1", "cut is given twice")
	f("engine=tgi", `engine is "tgi", not sglang or vllm`)
	f("family=gpt", `family is "gpt", not one of kimi_k2, deepseek_r1, qwen3, glm45, nemotron_3`)
	f("parser=yes", "parser=yes: want none or on")
	f("latency=20", "want a time such as 20ms")
	f("latency=-1s", "want a time")
	f("tokens=0", "tokens is 0")
	f("parallel=0", "parallel is 0")
	f("slots=-1", "want a number")
	f("cut=1.5", "want a share from 0 to 1")
	f("cut=NaN", "want a share")
	f("fail=boom", "want STATUS:SHARE")
	f("fail=429", "want a share")
	f("fail=200:0.1", "200 is not the status of an error")
	f("fail=429:0.6&cut=0.6", "more than all requests")
	f("seed=-1", "seed=-1: invalid syntax")
}
