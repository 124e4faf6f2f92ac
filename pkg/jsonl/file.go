package jsonl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// PartialSuffix names an output that is not complete.
const PartialSuffix = ".partial"

// File is an output file that appears under its name only when it is complete.
// It is written as NAME.partial, under a lock, so that a second writer of one
// name gets a *LockedError; what is not a regular file is written directly,
// and symlinks are followed. It has Writer's methods.
type File struct {
	*Writer
	f       *os.File
	target  string // "" when written directly
	partial string
	done    bool
}

// Create begins path. A file of that name stays as it is until Commit, and may
// be read meanwhile.
func Create(path string, o WriterOptions) (*File, error) {
	target, err := Target(path)
	if err != nil {
		return nil, err
	}
	if target == "" {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return nil, err
		}
		return &File{Writer: NewWriter(f, o), f: f}, nil
	}
	f, err := createPartial(target)
	if err != nil {
		return nil, explainMissing(err, target)
	}
	return &File{Writer: NewWriter(f, o), f: f, target: target, partial: f.Name()}, nil
}

// Target is the file that Create and OpenAppend write for path, which need not
// be there yet: where symbolic links lead to, or "" when path is written directly.
func Target(path string) (string, error) {
	if isDirect(path) {
		return "", nil
	}
	return followLinks(path)
}

// isDirect reports that path is no regular file, or names an open descriptor:
// renaming over that would not reach whoever holds it.
func isDirect(path string) bool {
	if p := filepath.Clean(path); strings.HasPrefix(p, "/dev/fd/") || strings.HasPrefix(p, "/proc/") || p == "/dev/stdout" || p == "/dev/stderr" {
		return true
	}
	fi, err := os.Stat(path)
	return err == nil && !fi.Mode().IsRegular()
}

// followLinks is the file that a chain of symlinks leads to, which need not be there.
func followLinks(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = path[:strings.LastIndexByte(path, '/')+1] + to // not cleaned: x/.. is elsewhere when x is a link
		}
		path = to
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: errors.New("too many symbolic links")}
}

func explainMissing(err error, path string) error {
	dir := filepath.Dir(path)
	if _, e := os.Stat(dir); errors.Is(e, fs.ErrNotExist) {
		return fmt.Errorf("create %q: folder %q does not exist: %w", path, dir, fs.ErrNotExist)
	}
	return err
}

// createPartial opens and locks path.partial, empty.
func createPartial(path string) (*os.File, error) {
	f, err := openLocked(path+PartialSuffix, os.O_WRONLY)
	if held := (*LockedError)(nil); errors.As(err, &held) {
		held.Path = path
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) { // a lock is a courtesy here
		return nil, err
	}
	if err := f.Truncate(0); err != nil {
		f.Close()
		return nil, err
	}
	if fi, err := os.Stat(path); err == nil {
		f.Chmod(fi.Mode().Perm()) // a file that is replaced keeps its permissions
	}
	return f, nil
}

// Commit closes the writer, syncs file and folder and gives the file its name.
func (f *File) Commit() error {
	if f.done {
		return os.ErrClosed
	}
	f.done = true
	err := f.Writer.Close()
	if f.target == "" {
		return errors.Join(err, f.f.Close())
	}
	if err == nil {
		err = f.f.Sync()
	}
	if err == nil {
		err = os.Rename(f.partial, f.target)
	}
	if e := f.f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = syncDir(filepath.Dir(f.target))
	}
	return err
}

// Abandon closes the file and leaves what was written as NAME.partial, whose
// name it returns; "" when path was written directly or nothing was written,
// which leaves no file. After Commit it does nothing.
func (f *File) Abandon() (partial string, err error) {
	if f.done {
		return "", nil
	}
	f.done = true
	err = f.Writer.Close()
	if f.target != "" && f.Writer.written == 0 {
		os.Remove(f.partial)
		f.partial = ""
	}
	if e := f.f.Close(); err == nil {
		err = e
	}
	return f.partial, err
}

// syncDir makes a rename or a new file in dir durable. Some file systems cannot
// sync a folder; there nothing more can be done.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !isInvalid(err) {
		return err
	}
	return nil
}
