package jsonl

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
