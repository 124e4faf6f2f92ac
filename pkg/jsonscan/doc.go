// Package jsonscan finds where each value of one line of JSON begins and ends.
//
// [Doc.Scan] checks a line strictly (RFC 8259 and valid UTF-8) in one pass and
// keeps a flat list of spans; no tree is built and nothing is unescaped. A
// [Value] is a place in that list. A string stays as it stands in the line: a
// [Text] is its inside, still escaped, so that what is only carried keeps its
// bytes, and markers are found in every spelling JSON allows for them.
//
//	var d jsonscan.Doc
//	if err := d.Scan(line); err != nil { … } // *SyntaxError with the offset
//	content := d.Root().Get("choices").Index(0).Get("message", "content").Text()
//	at, end := content.Find("</think>", 0)
//	out = append(append(append(out, '"'), content.Raw[:at]...), '"')
//
// A Doc is reused line after line without allocating; it keeps 16 bytes for
// each value and key of the largest line it saw. It is not safe for
// concurrent use; values and texts are valid until the next Scan and as long
// as the line's bytes are unchanged.
package jsonscan
