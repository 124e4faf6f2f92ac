package jsonscan_test

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

func Example() {
	line := []byte(`{"id":"gsm8k-17","choices":[{"message":{"content":"6*8=48\u003c/think>It is \u0034\u0038."}}]}`)
	var d jsonscan.Doc
	if err := d.Scan(line); err != nil {
		fmt.Println(err)
		return
	}
	content := d.Root().Get("choices").Index(0).Get("message", "content").Text()
	at, end := content.Find("</think>", 0)
	fmt.Printf("%s\n", content.Slice(0, at).Raw)
	fmt.Printf("%s\n", content.Slice(end, content.Len()).Raw)
	fmt.Println(content.Slice(end, content.Len()))
	// Output:
	// 6*8=48
	// It is \u0034\u0038.
	// It is 48.
}

func ExampleDoc_Scan_fault() {
	var d jsonscan.Doc
	err := d.Scan([]byte(`{"id":"a","score":NaN}`))
	fmt.Println(err)
	fmt.Println(d.Root().Get("id").Text())
	// Output:
	// invalid JSON at offset 18: unexpected "NaN", want a value
	// a
}

func ExampleDoc_Duplicate() {
	var d jsonscan.Doc
	if err := d.Scan([]byte(`{"message":{"content":"a","c\u006fntent":"b"}}`)); err != nil {
		fmt.Println(err)
	}
	fmt.Println(d.Root().Get("message", "content").Text(), d.Duplicate())
	// Output: a message.content
}

func ExampleAppendString() {
	fmt.Printf("%s\n", jsonscan.AppendString(nil, "<a href=\"/\">\n\x1b & \xff"))
	// Output: "<a href=\"/\">\n\u001b & �"
}

func ExampleQuote() {
	text := jsonscan.Quote("a \"quote\"")
	fmt.Printf("%s = %s\n", text.Raw, text)
	// Output: a \"quote\" = a "quote"
}
