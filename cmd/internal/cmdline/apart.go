package cmdline

import (
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// Apart are the files that are read of those that a command was given: the one
// rule for all that reads archives. What stands beside one of them, as the pattern
// of a shell names it, is passed over with a warning. Alone it is read like any
// other, but for FILE.run.json, in which no record is: that is refused.
func (s *Session) Apart(names []string) ([]string, error) {
	files, beside := provenance.Apart(names)
	for _, path := range files {
		archive, ok := strings.CutSuffix(path, provenance.Suffix)
		if !ok || !placeOf(path).isRegular() {
			continue
		}
		if made, err := provenance.Read(archive); err == nil && len(made.Epochs)+len(made.Runs) > 0 {
			return nil, WithHint(Usagef("%s says what made an archive, there are no records in it", Quote(path)), "the archive is "+Quote(archive))
		}
	}
	if len(beside) > 0 {
		s.Warn("passed over what stands beside files that are read: %s", listed(beside))
	}
	return files, nil
}

// listed names the first of some files and counts the others.
func listed(files []string) string {
	const most = 4
	var names []string
	for _, path := range files[:min(most, len(files))] {
		names = append(names, Quote(path))
	}
	if n := len(files) - most; n > 0 {
		names = append(names, fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}
