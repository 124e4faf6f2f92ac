package extractor_test

import (
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
)

func TestLedger(t *testing.T) {
	var l extractor.Ledger
	fail := func(id string, hash uint64, keyed bool) {
		l.Fail(extractor.Failure{ID: id, Hash: hash, Keyed: keyed})
	}
	fail("later", 1, true)
	fail("never", 2, true)
	l.Success(1)
	for h := range uint64(20_000) {
		l.Success(100 + h)
	}
	fail("before", 19_000, true)
	fail("never", 2, true)
	fail("no id", 1, false)
	failures, forgiven := l.Settle()
	var got string
	for _, f := range failures {
		got += f.ID + ";"
	}
	if got != "never;never;no id;" || forgiven != 2 {
		t.Errorf("got %q, %d forgiven", got, forgiven)
	}
}
