package shard

import "testing"

func TestParser(t *testing.T) {
	f := func(template, path string, want Name, ok bool) {
		t.Helper()
		tpl, err := ParseTemplate(template)
		if err != nil {
			t.Fatal(err)
		}
		if got, gotOK := tpl.Parser()(path); gotOK != ok || ok && got != want {
			t.Errorf("%s reads %s: %+v, %v", template, path, got, gotOK)
		}
	}
	f("o/{shard}.jsonl", "o/00012.jsonl", Name{12, -1, ""}, true)
	f("o/{shard}.jsonl", "o/123456.jsonl", Name{123456, -1, ""}, true)
	f("o/{shard}.jsonl", "o/12.jsonl", Name{}, false)
	f("o/{shard}.jsonl", "o/000012.jsonl", Name{}, false)
	f("o/{shard}.jsonl", "o/00012xjsonl", Name{}, false)
	f("o/{shard}", "o/00012.partial", Name{}, false)
	f("o/{shard}", "o/99999999999999999999", Name{}, false)
	f("{shard}-of-{shards}", "00003-of-8", Name{3, 8, ""}, true)
	f("{shard}/{shard}", "00003/00003", Name{3, -1, ""}, true)
	f("{shard}/{shard}", "00003/00004", Name{}, false)
	f("{a}/{shard}", "x y\n/00001", Name{1, -1, "x y\n/"}, true)
	f("{a}/{shard}", "x/y/00001", Name{}, false)
	f("{a}/{b}", "x/y", Name{-1, -1, "x/y/"}, true)
	f("one", "one", Name{-1, -1, ""}, true)
	f("latin\xff/{shard}", "latin\xff/00001", Name{1, -1, ""}, true)
	f("latin\xff/{shard}", "latin\xfe/00001", Name{}, false)
	f("é/{shard}", "é/00001", Name{1, -1, ""}, true)
}
