package shard

import (
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

func TestAssign(t *testing.T) {
	f := func(line, key, want string) {
		t.Helper()
		slot, err := SlotFor(scan(t, line), key)
		if err != nil {
			t.Fatal(err)
		}
		got := slot.Append([]byte("before "), []byte(line), "h-1")
		if string(got) != "before "+want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
		if !jsonscan.Valid([]byte(want)) || record.PromptID(scan(t, want), key).String() != "h-1" {
			t.Errorf("%s has not got the id", want)
		}
	}
	f(`{}`, "id", `{"id":"h-1"}`)
	f(` {	} `, "id", ` {"id":"h-1"	} `)
	f(`{"prompt":"x"}`, "id", `{"id":"h-1","prompt":"x"}`)
	f(`{ "n": 1E400 }`, "id", `{"id":"h-1", "n": 1E400 }`)
	f(`{"a":1,"id":null}`, "id", `{"a":1,"id":"h-1"}`)
	f(`{"i\u0064" : "","a":1}`, "id", `{"i\u0064" : "h-1","a":1}`)
	f(`{"a":{"id":"x"}}`, "id", `{"id":"h-1","a":{"id":"x"}}`)
	f(`{"a":1}`, "say \"key\"", `{"say \"key\"":"h-1","a":1}`)
}

func TestAssignRefuses(t *testing.T) {
	for _, line := range []string{`{"id":{}}`, `{"id":[1]}`, `{"id":true}`} {
		if slot, err := SlotFor(scan(t, line), "id"); err == nil {
			t.Errorf("%s: %+v", line, slot)
		}
	}
}

func TestIsName(t *testing.T) {
	f := func(id string, want bool) {
		t.Helper()
		if IsName([]byte(id)) != want {
			t.Errorf("%s: %v", id, !want)
		}
	}
	f(string(record.AppendName(nil, []byte("{}"))), true)
	f("h-b2c6fa432c743118", true)
	f("h-b2c6fa432c743118-2", true)
	f("h-b2c6fa432c743118-31", true)
	f("h-b2c6fa432c743118-", false)
	f("h-b2c6fa432c743118x2", false)
	f("h-b2c6fa432c743118-2x", false)
	f("h-B2C6FA432C743118", false)
	f("h-b2c6fa432c74311", false)
	f("h-", false)
	f("", false)
}
