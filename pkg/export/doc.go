// Package export writes samples in the forms that others read.
//
//	f, known := export.Lookup("messages")
//	if f == nil { … } // the names are known
//	line, err := f.Append(line, &sample)
//
// Each form is a pure function of one sample to one line of JSON; what a sample
// carries keeps its bytes. What a form cannot hold is an error, and nothing is left
// out in silence. Forms are read-only and may be used by many
// goroutines at once. A further form is one file and one line in table.go.
package export
