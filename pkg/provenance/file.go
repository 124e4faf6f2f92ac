package provenance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// Path is where the provenance of an archive stands.
func Path(archive string) string { return archive + Suffix }

// Read reads the provenance of an archive. When there is none the error is
// fs.ErrNotExist.
func Read(archive string) (*Archive, error) {
	text, err := os.ReadFile(Path(archive))
	if err != nil {
		return nil, err
	}
	a := new(Archive)
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("%s: %w", Path(archive), err)
	}
	return a, nil
}

// Write replaces the provenance of an archive as a whole.
func (a *Archive) Write(archive string) error {
	text, err := a.append()
	if err != nil {
		return err
	}
	file, err := jsonl.Create(Path(archive), jsonl.WriterOptions{})
	if err != nil {
		return err
	}
	if _, err := file.Write(text); err != nil {
		file.Abandon()
		return err
	}
	return file.Commit()
}

// append is the file's text. Lists and objects that are empty are there.
func (a *Archive) append() ([]byte, error) {
	out := Archive{Epochs: append([]Epoch{}, a.Epochs...), Runs: append([]Run{}, a.Runs...)}
	for i := range out.Epochs {
		e := &out.Epochs[i]
		e.Since = e.Since.UTC().Truncate(time.Second)
		if e.Servers == nil {
			e.Servers = []string{}
		}
		if e.Arguments == nil {
			e.Arguments = map[string]json.RawMessage{}
		}
	}
	for i := range out.Runs {
		r := &out.Runs[i]
		r.Started = r.Started.UTC().Truncate(time.Second)
		if r.Command == nil {
			r.Command = []string{}
		}
		if r.Probes == nil {
			r.Probes = []Probe{}
		}
		if r.Sampling == nil {
			r.Sampling = json.RawMessage("{}")
		}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // people read it
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return nil, fmt.Errorf("provenance: %w", err)
	}
	return text.Bytes(), nil
}
