package cmdline

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// PathFlag is a file and what the command line calls it, "--rejects". An empty
// path is none, "-" is standard input, and no file where it is an output.
type PathFlag struct{ Name, Path string }

// PathFlags are the files that flags name, without the flags that name none.
func (s *Session) PathFlags(flags ...string) []PathFlag {
	var files []PathFlag
	for _, flag := range flags {
		paths := s.StringSlice(flag)
		if len(paths) == 0 && s.IsSet(flag) {
			paths = []string{s.String(flag)}
		}
		for _, path := range paths {
			files = append(files, PathFlag{"--" + flag, path})
		}
	}
	return slices.DeleteFunc(files, func(f PathFlag) bool { return f.Path == "" })
}

// Originals are the inputs for a Distinct that spares them from --output, too: of a
// command whose output is less than what it read and cannot be made into it again.
func (s *Session) Originals() []PathFlag {
	var files []PathFlag
	for _, path := range s.inputNames() {
		files = append(files, PathFlag{"the input", path})
	}
	return files
}

// sparesArchives refuses an --output that would replace an archive of gen, whether it is
// read here or further up the pipeline.
func (s *Session) sparesArchives() error {
	path := s.String("output")
	if s.shared&Writes == 0 || path == "" {
		return nil
	}
	if made, err := provenance.Read(path); err != nil || len(made.Runs) == 0 || !placeOf(path).isRegular() {
		return nil
	}
	return WithHint(Usagef("--output would write over the archive %s", Quote(path)), "what a server sent cannot be made again: name another file")
}

// SamePath reports whether two names are one file: through symbolic and hard
// links, or, where there is none yet, the same name in the same folder.
func SamePath(a, b string) bool { return placeOf(a).is(placeOf(b)) }

// Distinct refuses, as wrong usage, outputs of a command that would destroy what
// the command reads or writes besides: its arguments, inputs, --output,
// --rejects and each other. Outputs of one name are not compared.
//
// The shared --output may be an argument, which it replaces at the end, unless it
// is written directly: an open descriptor would grow while it is read. It may not be
// another input.
func (s *Session) Distinct(outputs, inputs []PathFlag) error {
	written, read := s.written(outputs), s.read(inputs)
	same := 0 // where the outputs of o's name begin: of thousands each pair would take minutes
	for i, o := range written {
		for _, in := range read {
			if o.destroys(in) {
				return Usagef("%s would write over %s", o.Name, in)
			}
		}
		if o.Name != written[same].Name {
			same = i
		}
		for _, other := range written[:same] {
			if o.collides(other) {
				return Usagef("%s and %s would write the same file, %s", other.Name, o.Name, Quote(o.Path))
			}
		}
	}
	return nil
}

// place is where a file is or will be.
type place struct {
	info   fs.FileInfo // nil when there is none yet
	folder fs.FileInfo // nil when there is none yet
	path   string      // absolute and clean, "" for nowhere
}

// placeOf finds where a name leads.
func placeOf(path string) place {
	if target, err := jsonl.Target(path); err == nil && target != "" {
		path = target
	}
	var p place
	p.path, _ = filepath.Abs(path)
	p.info, _ = os.Stat(path)
	folder := path[:strings.LastIndexByte(path, '/')+1] // not cleaned: x/.. is elsewhere when x is a link
	p.folder, _ = os.Stat(folder + ".")
	return p
}

// placeOfStream is the file that a stream of the process was opened on.
func placeOfStream(stream any) (p place) {
	if f, ok := stream.(*os.File); ok {
		p.info, _ = f.Stat()
	}
	return p
}

// is reports whether two places are the same.
func (p place) is(q place) bool {
	switch {
	case p.info != nil && q.info != nil:
		return os.SameFile(p.info, q.info)
	case p.info != nil || q.info != nil || p.path == "" || q.path == "":
		return false
	case p.folder != nil && q.folder != nil:
		return os.SameFile(p.folder, q.folder) && filepath.Base(p.path) == filepath.Base(q.path)
	}
	return p.path == q.path
}

func (p place) isRegular() bool { return p.info != nil && p.info.Mode().IsRegular() }

// input is a file that is read.
type input struct {
	PathFlag
	place
	argument bool
}

func (in input) String() string {
	switch {
	case in.Path == "-":
		return "standard input"
	case in.argument:
		return "the input " + Quote(in.Path)
	}
	return in.Name + " " + Quote(in.Path)
}

// read are the arguments, as far as they are inputs, and other inputs.
func (s *Session) read(others []PathFlag) []input {
	if s.arguments == nil && s.shared&Reads != 0 {
		for _, path := range s.inputNames() {
			s.arguments = append(s.arguments, s.input(PathFlag{Path: path}, true))
		}
	}
	all := s.arguments[:len(s.arguments):len(s.arguments)]
	for _, f := range others {
		in, ok := s.besides[f]
		if !ok {
			in = s.input(f, false)
			if s.besides == nil {
				s.besides = map[PathFlag]input{}
			}
			s.besides[f] = in
		}
		all = append(all, in)
	}
	return all
}

func (s *Session) input(f PathFlag, argument bool) input {
	if f.Path == "-" {
		return input{f, placeOfStream(s.In), argument}
	}
	return input{f, placeOf(f.Path), argument}
}

// output is a file that is written, first under another name.
type output struct {
	PathFlag
	place
	partial  place
	direct   bool // written under its own name, whatever that is
	replaces bool // may be an argument
}

// written are the outputs that all commands have, and those of one.
func (s *Session) written(own []PathFlag) []output {
	all := []output{{PathFlag: PathFlag{Name: "standard output"}, place: placeOfStream(s.Out)}}
	if path := s.String("output"); path != "" && path != "-" {
		all[0] = outputOf(PathFlag{"--output", path})
		all[0].replaces = s.shared&Writes != 0 && !all[0].direct
	}
	for _, f := range slices.Concat(s.PathFlags("rejects"), own) {
		if f.Path != "" && f.Path != "-" {
			all = append(all, outputOf(f))
		}
	}
	return all
}

func outputOf(f PathFlag) output {
	target, err := jsonl.Target(f.Path)
	if target == "" || err != nil {
		return output{PathFlag: f, place: placeOf(f.Path), direct: true}
	}
	return output{PathFlag: f, place: placeOf(target), partial: placeOf(target + jsonl.PartialSuffix)}
}

// destroys reports whether writing o would spoil a regular file that is read.
func (o output) destroys(in input) bool {
	if !in.isRegular() {
		return false
	}
	return o.partial.is(in.place) || o.is(in.place) && !(o.replaces && in.argument)
}

// collides reports whether two outputs would be written over each other. What is
// written directly takes turns: 2>log and /dev/stderr.
func (o output) collides(p output) bool {
	if o.direct || p.direct || o.Name == p.Name {
		return false
	}
	return o.is(p.place) || o.is(p.partial) || p.is(o.partial)
}
