// Package scripttest runs scripts that use the four commands as people do.
//
// A command's own tests are one function,
//
//	func TestScripts(t *testing.T) { scripttest.Run(t, "testdata") }
//
// and one script per behaviour in testdata/*.txtar, in the language of
// [github.com/rogpeppe/go-internal/testscript] with more commands:
//
//	exits N COMMAND [ARG…]       run, expect exactly exit code N (128+n for signal n);
//	                             the last arguments may be <FILE, >FILE and 2>FILE
//	pipeline N 'a | b >FILE'     the same for a line of bash with pipefail
//	signals N SIG FILE COMMAND…  run with an open pipe as standard input, send SIG
//	                             as soon as FILE exists (FILE+: and holds something),
//	                             expect exit code N
//	counts N FILE [REGEXP]       FILE (or stdout, stderr) has N lines (that match)
//	jsonlines FILE               every line of FILE is one JSON value
//	compress FILE OUT            as OUT's name says, .zst or .gz
//	decompress FILE OUT          whatever the name, .zst and .gz by content
//	head-bytes N FILE OUT        the first N bytes; -N leaves out the last N
//	repeat N TEXT OUT            N lines of TEXT, with # replaced by the number from 1
//
// "exits" takes the standard input of "stdin" and gives "stdout" and "stderr"
// what they look at, like "exec".
//
// Scripts that every command must pass are in contract (see contract_test.go
// for their words), those of several commands in pipeline.
package scripttest
