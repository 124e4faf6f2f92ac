package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// account is what archives hold.
type account struct{ prompts, lines, successes, dead int }

func (a *account) add(b account) {
	a.prompts += b.prompts
	a.lines += b.lines
	a.successes += b.successes
	a.dead += b.dead
}

func (a account) String() string {
	return fmt.Sprintf("%d prompts: %d lines, %d successes, %d dead", a.prompts, a.lines, a.successes, a.dead)
}

// exchange is a line of an archive, as a stranger reads it.
type exchange struct {
	ID      string `json:"custom_id"`
	Request struct {
		Body   json.RawMessage
		SHA256 string `json:"sha256"`
	}
	Dead     bool
	Error    *struct{ Code string }
	Response *struct {
		Body   json.RawMessage
		Text   string
		Base64 []byte
		SHA256 string `json:"sha256"`
	}
}

// check reads an archive: each of n prompts has one success or one dead line,
// every line parses, every sha256 holds.
func check(path string, n int) (account, error) {
	f, err := os.Open(path)
	if err != nil {
		return account{}, err
	}
	defer f.Close()
	a := account{prompts: n}
	settled := map[string]int{}
	lines := jsonl.NewReader(f, path, jsonl.Options{})
	defer lines.Close()
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return a, err
		}
		x, err := parse(line)
		if err != nil {
			return a, err
		}
		a.lines++
		switch {
		case x.Error == nil:
			a.successes++
			settled[x.ID]++
		case x.Dead:
			a.dead++
			settled[x.ID]++
		}
	}
	if len(settled) != n {
		return a, fmt.Errorf("%d of %d prompts have an answer or a dead line", len(settled), n)
	}
	for id, times := range settled {
		if times != 1 {
			return a, fmt.Errorf("%s was settled %d times", id, times)
		}
	}
	return a, nil
}

func parse(line jsonl.Line) (x exchange, err error) {
	if err := json.Unmarshal(line.Data, &x); err != nil {
		return x, fmt.Errorf("%v: %w", line.Pos, err)
	}
	holds := is(x.Request.Body, x.Request.SHA256)
	if r := x.Response; r != nil {
		holds = holds && is(append(append([]byte(r.Body), r.Text...), r.Base64...), r.SHA256)
	}
	if !holds {
		return x, fmt.Errorf("%v: a sha256 does not hold", line.Pos)
	}
	return x, nil
}

// is reports whether bytes have this sha256.
func is(data []byte, sha string) bool {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]) == sha
}
