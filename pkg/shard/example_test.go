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
