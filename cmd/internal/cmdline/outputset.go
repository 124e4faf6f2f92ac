package cmdline

import (
	"fmt"
	"os"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// CreateMember begins one of many files that are the main output together. The
// flags that compress the main output apply, all members share goroutines, memory
// and file descriptors, and one hint speaks for all that are left unfinished. It
// appears on exit code 0 only.
func (s *Session) CreateMember(path string) (*Output, error) {
	w, err := s.writerOptions(path)
	if err != nil {
		return nil, err
	}
	if s.members == nil {
		s.members = jsonl.NewShared(w.Level, w.Workers)
	}
	w.Shared = s.members
	o, err := s.create(path, w)
	if err == nil {
		o.member = true
	}
	return o, err
}

// leaveAll abandons files and says what is in them. After wrong usage nothing
// was done, and nothing is left.
func (s *Session) leaveAll(files []*Output, err error) {
	var members []string
	var first *Output
	for _, o := range files {
		partial := s.leave(o, err)
		switch {
		case partial == "":
		case o.stamp || ExitCode(err) == CodeUsage:
			os.Remove(partial)
		case !o.member:
			s.Hint("%s", o.remains(Quote(partial), err))
		default:
			if first == nil {
				first = o
			}
			members = append(members, partial)
		}
	}
	if first != nil {
		s.Hint("%s", first.remains(several(members), err))
	}
}

// several names the first of some files and counts the others.
func several(files []string) string {
	switch n := len(files) - 1; n {
	case 0:
		return Quote(files[0])
	case 1:
		return Quote(files[0]) + ", like " + Quote(files[1]) + ","
	default:
		return fmt.Sprintf("%s, like %d more files,", Quote(files[0]), n)
	}
}
