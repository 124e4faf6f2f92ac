package simulator_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/simulator"
)

func Example() {
	c, err := simulator.Parse("engine=vllm&family=qwen3&parser=on&latency=0")
	if err != nil {
		fmt.Println(err)
		return
	}
	server, _ := simulator.New(c)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l := simulator.Listen()
	go server.Serve(ctx, l)

	e, err := endpoint.New(endpoint.Config{URL: "http://simulator", Name: "sim:", Dial: l.Dial})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	model, _ := e.Model(ctx)
	reply := e.Do(ctx, endpoint.Request{
		Path: "/v1/chat/completions",
		Body: []byte(`{"max_tokens":12,"messages":[{"role":"user","content":"How many clips did Natalia sell?"}]}`),
	})
	fmt.Println(model)
	fmt.Println(reply.Status(), bytes.Contains(reply.Response.Raw, []byte(`"reasoning":"The user writes`)))
	// Output:
	// simulated/Qwen3-32B
	// 200 true
}

func ExampleParse() {
	_, err := simulator.Parse("engine=sglang&fail=429:2")
	fmt.Println(err)
	// Output:
	// fail=429:2: want a share from 0 to 1
}
