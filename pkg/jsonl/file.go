package jsonl

import (
	"errors"
	"fmt"
	"io"
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
	f      output
	target string // "" when written directly
	synced bool
	done   bool
}

// output is what a File writes to.
type output interface {
	io.Writer
	Sync() error
	Close() error
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
	f, err := createPartial(target, o.Shared)
	if err != nil {
		return nil, explainMissing(err, target)
	}
	return &File{Writer: NewWriter(f, o), f: f, target: target}, nil
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

// Folder is the folder of a file. It is not cleaned: x/.. is elsewhere when x is a link.
func Folder(path string) string {
	path = strings.TrimRight(path, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "."
	}
	return path[:max(i, 1)]
}

func explainMissing(err error, path string) error {
	dir := Folder(path)
	if _, e := os.Stat(dir); errors.Is(e, fs.ErrNotExist) {
		return &noFolderError{path, dir}
	}
	return err
}

// noFolderError is an fs.ErrNotExist that says what is missing.
type noFolderError struct{ path, folder string }

func (e *noFolderError) Error() string {
	return fmt.Sprintf("create %q: folder %q does not exist", e.path, e.folder)
}
func (e *noFolderError) Unwrap() error { return fs.ErrNotExist }

// Prepare closes the writer and syncs the file. Commit does so, too; several files
// may be synced at once before, whose writers are closed.
func (f *File) Prepare() error {
	err := f.Writer.Close()
	if err == nil && f.target != "" && !f.synced {
		if err = f.f.Sync(); err == nil {
			f.synced = true
		}
	}
	return err
}

// Commit closes the writer, syncs file and folder and gives the file its name.
func (f *File) Commit() error {
	err := f.Rename()
	if err == nil && f.target != "" {
		err = syncDir(Folder(f.target))
	}
	return err
}

// Rename is Commit without syncing the folder: see [SyncFolders].
func (f *File) Rename() error {
	if f.done {
		return os.ErrClosed
	}
	err := f.Prepare()
	f.done = true
	if partial, ok := f.f.(*partialFile); ok && err == nil {
		if err = partial.use(); err == nil {
			err = os.Rename(partial.path, f.target)
		}
	}
	if e := f.f.Close(); err == nil {
		err = e
	}
	return err
}

// SyncFolders makes the names durable of files that were renamed, each folder once.
func SyncFolders(files []*File) error {
	synced := map[string]bool{}
	for _, f := range files {
		dir := Folder(f.target)
		if f.target == "" || synced[dir] {
			continue
		}
		synced[dir] = true
		if err := syncDir(dir); err != nil {
			return err
		}
	}
	return nil
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
	if p, ok := f.f.(*partialFile); ok {
		if partial = p.path; f.Writer.written == 0 {
			os.Remove(partial)
			partial = ""
		}
	}
	if e := f.f.Close(); err == nil {
		err = e
	}
	return partial, err
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
