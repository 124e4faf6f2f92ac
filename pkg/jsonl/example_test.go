package jsonl

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func ExampleReader() {
	r := NewReader(strings.NewReader("one\n\ntwo"), "in", Options{})
	defer r.Close()
	for {
		line, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			break
		}
		fmt.Printf("%v: %s\n", line.Pos, line.Data)
	}
	// Output:
	// in:1: one
	// in:3: two
}

func ExampleOpenAppend() {
	dir, _ := os.MkdirTemp("", "example")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "raw.jsonl")
	os.WriteFile(path, []byte("{\"id\":1}\n{\"id\":2"), 0o666) // a crash
	a, torn, err := OpenAppend(path, AppendOptions{
		Whole: json.Valid,
		Visit: func(l Line) error {
			fmt.Printf("there is %s\n", l.Data)
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(torn.Bytes, "bytes went to", filepath.Base(torn.File))
	a.Append([]byte(`{"id":2,"again":true}`))
	fmt.Println(a.Close())
	b, _ := os.ReadFile(path)
	fmt.Printf("%s", b)
	// Output:
	// there is {"id":1}
	// 7 bytes went to raw.jsonl.torn
	// <nil>
	// {"id":1}
	// {"id":2,"again":true}
}
