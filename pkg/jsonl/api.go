package jsonl

import (
	"context"
	"io"
	"iter"
)

// Options bound what a reader takes. The zero value means the defaults.
type Options struct {
	MaxLineBytes int64  // longest line, 1 GiB by default; a longer one is told as TooLong
	MaxWindow    uint64 // largest zstd window, 2 GiB by default
	Workers      int    // goroutines that decode or map, GOMAXPROCS by default
}

// Pos is where a line stands in the uncompressed input.
type Pos struct {
	File   string // as given; "<stdin>" for standard input
	Line   int64  // from 1, blank lines counted
	Offset int64  // of the line's first byte, from 0
}

// String is "file:line".
func (p Pos) String() string { panic("todo") }

// Line is one line without its ending, carriage return and byte order mark.
type Line struct {
	Pos
	Data    []byte
	TooLong bool // longer than MaxLineBytes: Data holds its beginning only
}

// DamageError ends an input that is cut or corrupt, after its whole lines.
type DamageError struct {
	Pos         // of the first line that could not be read whole
	Kind string // "zstd", "gzip" or "read"
	Err  error  // what the decoder said, in plain words
}

func (e *DamageError) Error() string { panic("todo") }
func (e *DamageError) Unwrap() error { return e.Err }

// Source is one input. Open is called when its turn comes.
type Source struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Reader reads lines one by one.
type Reader struct{}

// NewReader reads r, whose name goes into positions.
func NewReader(r io.Reader, name string, o Options) *Reader { panic("todo") }

// Read returns the next line, valid until the next call; io.EOF at the end.
func (r *Reader) Read() (Line, error) { panic("todo") }

// Close stops read-ahead; it does not close the underlying reader.
func (r *Reader) Close() error { panic("todo") }

// Block is a run of whole lines of one input.
type Block struct {
	Out   []byte // empty when a worker gets the block; what it appends is its own affair
	Value any    // whatever the worker hands to the sink; kept when a block is reused
}

// Lines ranges over the block's lines.
func (b *Block) Lines() iter.Seq[Line] { panic("todo") }

// Map reads the sources one after the other, calls a worker's function on each
// block (newWorker is called once per goroutine) and sink with the blocks in
// input order, from the calling goroutine. A block and what it holds are valid
// until sink returns. After damage in one source the others are still read;
// the damage errors are joined. An error of sink or ctx ends Map at once.
// No goroutine outlives the call.
func Map(ctx context.Context, sources []Source, o Options, newWorker func() func(*Block), sink func(*Block) error) error {
	panic("todo")
}

// Format is an output's container.
type Format uint8

const (
	Plain Format = iota
	Zstd
	Gzip
)

// FormatOf is Zstd for names that end in .zst, Gzip for .gz, else Plain.
func FormatOf(name string) Format { panic("todo") }

// WriterOptions choose an output's container.
type WriterOptions struct {
	Format  Format
	Level   int // zstd 1 to 4 (fastest to best) or 0 for the default, fastest; see --zstd-level
	Workers int // compressing goroutines, GOMAXPROCS by default
}

// Writer writes whole lines, compressed in independent frames by several
// goroutines. It is owned by one goroutine.
type Writer struct{}

func NewWriter(w io.Writer, o WriterOptions) *Writer { panic("todo") }

// Write takes whole lines: p ends in a newline. Frames end between writes.
func (w *Writer) Write(p []byte) (int, error) { panic("todo") }

// Flush hands everything to the underlying writer.
func (w *Writer) Flush() error { panic("todo") }

// Close flushes and ends the container. It does not close the underlying writer.
func (w *Writer) Close() error { panic("todo") }

// File is an output file that appears under its name only when it is complete.
// It is written as NAME.partial; what is not a regular file is written directly,
// and symlinks are followed. It has Writer's methods.
type File struct {
	*Writer
}

// Create begins path.
func Create(path string, o WriterOptions) (*File, error) { panic("todo") }

// Commit closes the writer, syncs file and folder and gives the file its name.
func (f *File) Commit() error { panic("todo") }

// Abandon closes the file and leaves what was written as NAME.partial, whose
// name it returns ("" when path was written directly).
func (f *File) Abandon() (partial string, err error) { panic("todo") }

// Appender adds lines to the end of a file and makes them durable.
type Appender struct{}

// AppendOptions say how an archive is opened.
type AppendOptions struct {
	Options
	Level int
	// Whole reports whether a last line without newline is complete (valid
	// JSON) and may be kept.
	Whole func(line []byte) bool
	// Visit is called with every whole line that the file holds, in order.
	Visit func(Line) error
}

// Torn says what a crash left at the end of a file and where it went.
type Torn struct {
	Bytes int64  // cut off the file
	File  string // NAME.torn, where they were appended
}

// LockedError says that another process appends to the file.
type LockedError struct {
	Path string
	PID  int // 0 when unknown
}

func (e *LockedError) Error() string { panic("todo") }

// OpenAppend opens or creates path for appending under a lock, cuts a torn tail
// off by bytes into NAME.torn, and keeps the container found there (a new file
// gets the one of its name). torn is nil when nothing was cut.
func OpenAppend(path string, o AppendOptions) (a *Appender, torn *Torn, err error) { panic("todo") }

// Append adds one line; a newline is added. It is durable after the next Sync.
func (a *Appender) Append(line []byte) error { panic("todo") }

// Sync ends the frame and fsyncs. Frames also end at 4 MiB.
func (a *Appender) Sync() error { panic("todo") }

// Close syncs, closes and unlocks.
func (a *Appender) Close() error { panic("todo") }
