// Package archtest enforces the layout of the project: who may import whom,
// which names belong to main.go only, what every package documents. The rules
// are tables in the tests; a failure says which rule and why it is there.
package archtest
