package provenance

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

const (
	// Pattern matches the archives of gen -o DIR/ by their names in the folder.
	Pattern = "raw.*.jsonl*"

	// Suffix is what the name of an archive gets.
	Suffix = ".run.json"

	// ProbeSuffix is what the name of an archive gets for its probes.
	ProbeSuffix = ".probe"
)

// Beside is the file that another stands beside by its name: FILE of FILE.run.json
// and FILE.probe, of a lock, a torn tail and an output that is not complete; ""
// for one that stands on its own.
func Beside(path string) (file string) {
	for _, suffix := range [...]string{Suffix, ProbeSuffix, ".lock", ".torn", jsonl.PartialSuffix} {
		if file, ok := strings.CutSuffix(path, suffix); ok && file != "" && !os.IsPathSeparator(file[len(file)-1]) {
			return file
		}
	}
	return ""
}

// Apart takes out of files those that stand beside another of them, as a pattern
// of a shell gives them with their archives.
func Apart(files []string) (archives, beside []string) {
	given := map[string]bool{}
	for _, path := range files {
		given[filepath.Clean(path)] = true
	}
	for _, path := range files {
		file := Beside(filepath.Clean(path))
		for file != "" && !given[file] {
			file = Beside(file) // of FILE.probe.lock: FILE.probe, FILE
		}
		if file == "" {
			archives = append(archives, path)
		} else {
			beside = append(beside, path)
		}
	}
	return archives, beside
}

// Archives are the archives in a folder: those of gen -o DIR/, else all that are in
// it; none where it holds others alone.
func Archives(folder string) ([]string, error) {
	for _, pattern := range [...]string{Pattern, "*.jsonl*"} {
		if found, err := In(folder, pattern); err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, nil
}

// In are the files of a folder whose names match a pattern of [filepath.Match], in
// order, without those that stand beside others. The folder's own name is taken as
// it is. When there is no folder the error is fs.ErrNotExist.
func In(folder, pattern string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(folder, "/") {
		folder += "/"
	}
	var found []string
	for _, e := range entries {
		if ok, err := filepath.Match(pattern, e.Name()); err != nil {
			return nil, err
		} else if ok && !e.IsDir() && Beside(e.Name()) == "" {
			found = append(found, folder+e.Name())
		}
	}
	return found, nil
}
