package shard_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

func TestIDSumDependsOnTheSetAlone(t *testing.T) {
	sum := func(ids ...string) string {
		var s, other shard.IDSum
		for i, id := range ids {
			if i%2 == 0 {
				s.Add(shard.DigestOf([]byte(id)))
			} else {
				other.Add(shard.DigestOf([]byte(id)))
			}
		}
		s.Join(other)
		return s.String()
	}
	f := func(same bool, a, b string) {
		t.Helper()
		if (a == b) != same {
			t.Errorf("%s and %s: the same is %v", a, b, !same)
		}
	}
	f(true, sum(), strings.Repeat("0", 32))
	f(true, sum("a"), "ca978112ca1bbdcafac231b39a23dc4d") // sha256 of "a"
	f(true, sum("a", "b", "c"), sum("c", "a", "b"))
	f(false, sum("a", "b"), sum("a", "b", "b"))
	f(false, sum("a", "b"), sum("a", "c"))
	f(false, sum("a", "a"), sum("b", "b"))
}

func TestDigestOfID(t *testing.T) {
	digest := func(line string) shard.Digest {
		var doc jsonscan.Doc
		if err := doc.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		d, _ := shard.DigestOfID(record.IDOf(doc.Root()), nil)
		return d
	}
	rule := shard.Rule{N: 1 << 20}
	switch text, number := digest(`"17"`), digest(`17`); {
	case text != shard.DigestOf([]byte("17")) || text != digest(`"\u00317"`):
		t.Error("a string goes by its text")
	case text == number:
		t.Error("a number and a string must not match")
	case rule.Of(text) != rule.Of(number):
		t.Error("a number goes to the shard of its text")
	}
}

func TestManifestReadsBack(t *testing.T) {
	m := &shard.Manifest{
		Version: 1, By: "field=a.b", Shards: 2, IDField: "key\"", Order: "m.order.zst", OrderSHA256: strings.Repeat("e", 64),
		Sum: shard.Sum{Lines: 3, Bytes: 30, IDs: strings.Repeat("7", 31) + "6"},
		Files: []shard.File{
			{Name: "é\u0001<&>.jsonl", Sum: shard.Sum{Lines: 1, Bytes: 10, IDs: strings.Repeat("a", 32), SHA256: strings.Repeat("b", 64)}},
			{Name: "../b", Shard: 1, Sum: shard.Sum{Lines: 2, Bytes: 20, IDs: strings.Repeat("c", 32), SHA256: strings.Repeat("d", 64)}},
		},
	}
	text := m.AppendJSON(nil)
	if !json.Valid(text) {
		t.Fatalf("no JSON: %s", text)
	}
	if got, err := shard.ParseManifest(text); err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("got %+v, %v", got, err)
	}
	empty := (&shard.Manifest{Order: "o", Sum: shard.Sum{IDs: shard.IDSum{}.String()}}).AppendJSON(nil)
	if _, err := shard.ParseManifest(empty); err != nil {
		t.Errorf("%s: %v", empty, err)
	}
}

func TestManifestRefused(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		if _, err := shard.ParseManifest([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	f(``, "no manifest")
	f(`[]`, "no manifest")
	f(`{"id":"a"}`, "version 1")
	f(`{"version":2,"order":"o"}`, "version 1")
	f(`{"version":1}`, "no order")
	f(`{"version":1,"order":"o","files":[{"file":"","sha256":"x"}]}`, "lacks")
	f(`{"version":1,"order":"o","lines":2,"files":[]}`, "do not add up")
	one := func(ids, ofAll string) string {
		return fmt.Sprintf(`{"version":1,"order":"o","ids":%q,"files":[{"file":"a","ids":%q,"sha256":%q}]}`, ofAll, ids, strings.Repeat("0", 64))
	}
	f(one("zz", "zz"), "lacks")
	f(one(strings.Repeat("z", 32), strings.Repeat("z", 32)), "lacks")
	f(one(strings.Repeat("1", 32), strings.Repeat("2", 32)), "do not add up")
}

// TestShuffleKey pins the order: it is the same on every machine, in every version.
func TestShuffleKey(t *testing.T) {
	f := func(seed, position int64, want shard.Key) {
		t.Helper()
		if got := shard.ShuffleKey(seed, position); got != want {
			t.Errorf("%d, %d: %#x, want %#x", seed, position, got, want)
		}
	}
	f(0, 0, shard.Key{Hi: 0x374708fff7719dd5, Lo: 0}) // sha256 of 16 zero bytes
	f(1, 2, shard.Key{Hi: 0x8c7654ecfd7b0b62, Lo: 2})
	f(-1, 2, shard.Key{Hi: 0xf489a254597ec8f2, Lo: 2})
}
