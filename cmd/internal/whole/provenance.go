package whole

import (
	"errors"
	"io/fs"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// Provenance is what stands beside the inputs of a session in FILE.run.json, by
// their names. One that cannot be read is warned of: the archive can without.
func Provenance(s *cmdline.Session) map[string]*provenance.Archive {
	known := map[string]*provenance.Archive{}
	for _, name := range s.Files() {
		if name == "-" || known[name] != nil {
			continue
		}
		a, err := provenance.Read(name)
		switch {
		case err == nil:
			known[name] = a
		case !errors.Is(err, fs.ErrNotExist):
			s.Warn("%v", err)
		}
	}
	return known
}
