package shard_test

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

func Example() {
	rule, err := shard.ParseRule("hash", 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	template, err := shard.ParseTemplate("out/{dataset}/{shard}-of-{shards}.jsonl.zst")
	if err != nil {
		fmt.Println(err)
		return
	}
	var doc jsonscan.Doc
	for _, line := range []string{`{"id":"gsm8k-17","dataset":"gsm8k"}`, `{"id":"aime-3","dataset":"../etc"}`} {
		if err := doc.Scan([]byte(line)); err != nil {
			fmt.Println(err)
			continue
		}
		group, err := template.AppendGroup(nil, doc.Root(), rule.N)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(shard.Path(string(group), rule.OfKey([]byte("gsm8k-17"))))
	}
	// Output:
	// out/gsm8k/00000-of-8.jsonl.zst
	// field "dataset" could leave the folder: "../etc"
}

func ExampleSet() {
	answered := shard.NewSet(64<<20, "") // of any number of ids, in 64 MiB
	defer answered.Close()
	for _, id := range []string{"a", "b", "b"} {
		if err := answered.Add(shard.DigestOf([]byte(id))); err != nil {
			fmt.Println(err)
		}
	}
	if err := answered.Seal(); err != nil {
		fmt.Println(err)
	}
	var buf []byte
	for _, id := range []string{"b", "c"} {
		var has bool
		has, buf, _ = answered.Has(shard.DigestOf([]byte(id)), buf)
		fmt.Println(id, has)
	}
	// Output:
	// b true
	// c false
}

func ExampleSorter() {
	s := shard.NewSorter(64<<20, "")
	defer s.Close()
	for i, line := range []string{"one", "two", "three", "four"} {
		if err := s.Add(shard.ShuffleKey(1, int64(i)), []byte(line)); err != nil {
			fmt.Println(err)
		}
	}
	s.Each(func(_ shard.Key, line []byte) error {
		_, err := fmt.Println(string(line))
		return err
	})
	// Output:
	// four
	// two
	// one
	// three
}
