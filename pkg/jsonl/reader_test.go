package jsonl

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

// oracle is the lines of an input, told slowly and plainly.
func oracle(text []byte, maxLine int) (lines []Line) {
	pos := Pos{File: "in", Line: 1}
	for _, raw := range bytes.SplitAfter(text, []byte("\n")) {
		l := Line{Pos: pos}
		pos.Line++
		pos.Offset += int64(len(raw))
		data := bytes.TrimSuffix(raw, []byte("\n"))
		if l.TooLong = len(data) > maxLine; l.TooLong {
			data = data[:min(maxLine, 64<<10)]
		}
		data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
		if !l.TooLong {
			data = bytes.TrimSuffix(data, []byte("\r"))
		}
		if l.Data = data; l.TooLong || len(bytes.Trim(data, " \t\r")) > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

func sameLines(a, b []Line) bool {
	return slices.EqualFunc(a, b, func(a, b Line) bool {
		return a.Pos == b.Pos && a.TooLong == b.TooLong && bytes.Equal(a.Data, b.Data)
	})
}

var framings = []string{
	"", "\n", "\n\n", "a", "a\n", "a\n\nb", "a\r\nb\r\n", "\r\n\r\n", "a\rb\n", "a\r\r\n", " \t\n a \n",
	"\xef\xbb\xbfa\n\xef\xbb\xbfb", "\xef\xbb\xbf", "\xef\xbb\xbf\r\n1", "\xef\xbb\xbf\xef\xbb\xbfx\n", "\xef\xbb\n", "\x00\n", "[1]\n", "(", "P*M",
	"short\n" + strings.Repeat("long", 50) + "\nshort\n", strings.Repeat("x", 64) + "\n", strings.Repeat("x", 65) + "\r\n", strings.Repeat("y", 300),
}

func TestFraming(t *testing.T) {
	f := func(text string, maxLine int) {
		t.Helper()
		want := oracle([]byte(text), maxLine)
		o := Options{MaxLineBytes: int64(maxLine), Workers: 2}
		check := func(how string, got []Line, err error) {
			t.Helper()
			if err != nil || !sameLines(got, want) {
				t.Errorf("%s of %q: %v, %v; want %v", how, text, got, err, want)
			}
		}
		lines, err := readAll(strings.NewReader(text), o)
		check("Reader", lines, err)
		lines, err = readAll(iotest.OneByteReader(strings.NewReader(text)), o)
		check("Reader by bytes", lines, err)
		lines, err = readAll(iotest.DataErrReader(strings.NewReader(text)), o)
		check("Reader with data and EOF", lines, err)
		lines, err = mapAll(strings.NewReader(text), o)
		check("Map", lines, err)
		lines, err = mapAll(iotest.HalfReader(strings.NewReader(text)), o)
		check("Map by halves", lines, err)
		for at := 0; at < len(text); at += 1 + len(text)/20 {
			z := zstdOf(t, []byte(text[:at]), []byte(text[at:]))
			lines, err = mapAll(bytes.NewReader(z), o)
			check("Map of frames", lines, err)
		}
	}
	for _, s := range framings {
		if s == "(" {
			continue // may be a zstd file that was cut after a byte
		}
		f(s, 1<<30)
		f(s, 64)
		f(s, 3)
	}
}

func TestTooLong(t *testing.T) {
	// Over the largest block, so that the line does not fit what is read at once.
	giant := strings.Repeat("g", 3<<20)
	text := "1\n" + giant + "\n2\n" + giant
	for _, maxLine := range []int{100, 70 << 10, 2 << 20, 4 << 20} {
		want := oracle([]byte(text), maxLine)
		for how, read := range map[string]func(io.Reader, Options) ([]Line, error){"Reader": readAll, "Map": mapAll} {
			got, err := read(strings.NewReader(text), Options{MaxLineBytes: int64(maxLine)})
			if err != nil || !sameLines(got, want) {
				t.Errorf("%s, limit %d: %d lines, %v", how, maxLine, len(got), err)
			}
		}
	}
}

func TestMemoryStaysUnderTheLimit(t *testing.T) {
	endless := io.MultiReader(io.LimitReader(zeros{}, 64<<20), strings.NewReader("\nlast\n"))
	r := NewReader(endless, "in", Options{MaxLineBytes: 1 << 20})
	for _, want := range []Line{{Pos: Pos{"in", 1, 0}, TooLong: true}, {Pos: Pos{"in", 2, 64<<20 + 1}}} {
		l, err := r.Read()
		if err != nil || l.Pos != want.Pos || l.TooLong != want.TooLong {
			t.Fatalf("got %v %v, %v; want %v", l.Pos, l.TooLong, err, want.Pos)
		}
	}
	if n := cap(r.block.data) + cap(r.lines.carry); n > 3<<20 {
		t.Errorf("the reader holds %d bytes", n)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// TestCutAtEveryByte: of a cut stream come the first lines and then an error,
// unless the cut is at the end of a frame.
func TestCutAtEveryByte(t *testing.T) {
	text := shortLines(12)
	whole := oracle(text, 1<<30)
	half := len(text)/2 + 3
	skip := append([]byte("\x53\x2a\x4d\x18\x07\x00\x00\x00"), "skipped"...)
	f := func(name string, in []byte, ends ...int) {
		t.Helper()
		for cut := range len(in) {
			if in[0] == skip[0] && 0 < cut && cut < 4 {
				continue // could be text
			}
			for how, read := range map[string]func(io.Reader, Options) ([]Line, error){"Reader": readAll, "Map": mapAll} {
				lines, err := read(bytes.NewReader(in[:cut]), Options{Workers: 2})
				clean := slices.Contains(ends, cut)
				var d *DamageError
				if clean != (err == nil) || err != nil && (!errors.As(err, &d) || !errors.Is(err, io.ErrUnexpectedEOF)) {
					t.Fatalf("%s, %s, cut at %d: %v", name, how, cut, err)
				}
				if !clean && !sameLines(lines, whole[:len(lines)]) {
					t.Fatalf("%s, %s, cut at %d: %v", name, how, cut, lines)
				}
				if d != nil && len(lines) > 0 && (d.Line != int64(len(lines))+1 || d.Offset != int64(len(bytes.Join(bytes.SplitAfter(text, newline)[:len(lines)], nil)))) {
					t.Fatalf("%s, %s, cut at %d: damage at %v, %d after %d lines", name, how, cut, d.Pos, d.Offset, len(lines))
				}
			}
		}
	}
	f("one frame", zstdOf(t, text), 0)
	f("frames", append(bytes.Clone(skip), zstdOf(t, text[:half], nil, text[half:])...), 0, len(skip), len(skip)+len(zstdOf(t, text[:half])), len(skip)+len(zstdOf(t, text[:half], nil)))
	f("gzip", gzipOf(t, text[:half], text[half:]), 0, len(gzipOf(t, text[:half])))
}

// TestFlippedBits: no panic, no hang, no wrong clean end with other lines.
func TestFlippedBits(t *testing.T) {
	text := shortLines(12)
	whole := oracle(text, 1<<30)
	half := len(text)/2 + 3
	for name, in := range map[string][]byte{"zstd": zstdOf(t, text[:half], text[half:]), "gzip": gzipOf(t, text[:half], text[half:])} {
		for i := range in {
			bad := bytes.Clone(in)
			bad[i] ^= 0x10
			lines, err := mapAll(bytes.NewReader(bad), Options{Workers: 2})
			if err == nil && !sameLines(lines, whole) && i >= 4 {
				t.Errorf("%s, byte %d: %d lines and no error", name, i, len(lines))
			}
		}
	}
}

func TestTrailingGarbage(t *testing.T) {
	for name, in := range map[string][]byte{"zstd": zstdOf(t, []byte("1\n")), "gzip": gzipOf(t, []byte("1\n"))} {
		lines, err := mapAll(bytes.NewReader(append(in, "garbage, not a frame"...)), Options{})
		var d *DamageError
		if len(lines) != 1 || !errors.As(err, &d) || d.Kind != name || d.Line != 2 {
			t.Errorf("%s: %d lines, %v", name, len(lines), err)
		}
	}
}

// TestReadErrors: an error of the source is told at every place, never taken
// for the end, also when it says unexpected EOF at the end of a frame.
func TestReadErrors(t *testing.T) {
	text := shortLines(8)
	for name, in := range map[string][]byte{"plain": text, "zstd": zstdOf(t, text[:60], text[60:]), "gzip": gzipOf(t, text[:60], text[60:])} {
		for cut := range len(in) + 1 {
			for _, cause := range []error{io.ErrUnexpectedEOF, os.ErrDeadlineExceeded} {
				for how, read := range map[string]func(io.Reader, Options) ([]Line, error){"Reader": readAll, "Map": mapAll} {
					_, err := read(io.MultiReader(bytes.NewReader(in[:cut]), iotest.ErrReader(cause)), Options{Workers: 2})
					var d *DamageError
					if !errors.As(err, &d) || !errors.Is(err, cause) || d.Kind != "read" {
						t.Fatalf("%s, %s, %v at %d: %v", name, how, cause, cut, err)
					}
				}
			}
		}
	}
}

func TestLargeFrames(t *testing.T) {
	text := bytes.Repeat(someLines(2000), 56) // over maxFrameOut
	in := append(zstdOf(t, []byte("0\n"), text), zstdOf(t, []byte("1\n"), nil, []byte("2"))...)
	want := oracle(append(append([]byte("0\n"), text...), "1\n2"...), 1<<30)
	if len(text) <= maxFrameOut {
		t.Fatalf("%d bytes are no large frame", len(text))
	}
	for how, read := range map[string]func(io.Reader, Options) ([]Line, error){"Reader": readAll, "Map": mapAll} {
		got, err := read(bytes.NewReader(in), Options{})
		if err != nil || !sameLines(got, want) {
			t.Errorf("%s: %d lines, want %d; %v", how, len(got), len(want), err)
		}
		got, err = read(bytes.NewReader(in[:len(in)/2]), Options{})
		if !errors.Is(err, io.ErrUnexpectedEOF) || !sameLines(got, want[:len(got)]) || len(got) < len(want)/4 {
			t.Errorf("%s of a half: %d lines of %d; %v", how, len(got), len(want), err)
		}
	}
}

// TestBomb: a few bytes that claim or hold gigabytes must not become memory.
func TestBomb(t *testing.T) {
	claim := []byte("\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x40\x00\x00\x00\x00") // single segment, 1 GiB
	claim = append(claim, "\x01\x00\x00"...)                                // an empty last block
	_, err := mapAll(bytes.NewReader(claim), Options{})
	var d *DamageError
	if !errors.As(err, &d) {
		t.Errorf("claim of 1 GiB: %v", err)
	}
	repeat := []byte("\x28\xb5\x2f\xfd\x00\x58") // window 2 MiB
	for i := range 512 {                         // 64 MiB of one byte in 2 KB
		h := uint32(maxBlock<<3 | 1<<1)
		if i == 511 {
			h |= 1
		}
		repeat = append(binary.LittleEndian.AppendUint32(repeat, h)[:len(repeat)+3], 'x')
	}
	lines, err := mapAll(bytes.NewReader(repeat), Options{MaxLineBytes: 1 << 20})
	if err != nil || len(lines) != 1 || !lines[0].TooLong {
		t.Errorf("64 MiB of one byte: %d lines, %v", len(lines), err)
	}
}

func TestSkippableFrames(t *testing.T) {
	for _, n := range []int{0, 1, 100, 1 << 20} {
		skip := binary.LittleEndian.AppendUint32([]byte("\x50\x2a\x4d\x18"), uint32(n))
		skip = append(skip, make([]byte, n)...)
		in := append(bytes.Clone(skip), zstdOf(t, []byte("1\n2"))...)
		in = append(in, skip...)
		in = append(in, zstdOf(t, []byte("2\n3\n"))...)
		in = append(in, skip...)
		for how, read := range map[string]func(io.Reader, Options) ([]Line, error){"Reader": readAll, "Map": mapAll} {
			lines, err := read(bytes.NewReader(in), Options{})
			if got := strings.Join(texts(lines), " "); err != nil || got != "1 22 3" {
				t.Errorf("%s, %d bytes: %q, %v", how, n, got, err)
			}
		}
	}
}

func TestCases(t *testing.T) {
	f := func(name string, count int, kind, mentions string) {
		t.Helper()
		for how, read := range map[string]func(io.Reader, Options) ([]Line, error){"Reader": readAll, "Map": mapAll} {
			lines, err := read(bytes.NewReader(testFile(t, name)), Options{})
			if len(lines) != count {
				t.Errorf("%s, %s: %d lines, want %d", name, how, len(lines), count)
			}
			for _, l := range lines {
				if l.Data[0] != '{' || l.Data[len(l.Data)-1] != '}' {
					t.Errorf("%s, %s: line %q", name, how, l.Data)
				}
			}
			var d *DamageError
			if errors.As(err, &d) != (kind != "") || d != nil && (d.Kind != kind || !strings.Contains(err.Error(), mentions)) {
				t.Errorf("%s, %s: %v", name, how, err)
			}
		}
	}
	f("bom-crlf-blank-no-final-newline.jsonl", 3, "", "")
	f("seventy-kilobytes.jsonl", 3, "", "")
	f("record-over-two-frames.jsonl.zst", 3, "", "")
	f("cut-inside-a-frame.jsonl.zst", 3, "zstd", "input is cut")
	f("gzip-named-zst.jsonl.zst", 3, "", "")
	f("empty.jsonl", 0, "", "")
	f("long-31.jsonl.zst", 3, "", "")
}

func TestOtherFormats(t *testing.T) {
	f := func(in, kind string) {
		t.Helper()
		_, err := mapAll(strings.NewReader(in), Options{})
		var d *DamageError
		if !errors.As(err, &d) || d.Kind != kind {
			t.Errorf("%q: %v, want %s", in, err, kind)
		}
	}
	f("BZh91AY&SY\n", "bzip2")
	f("\xfd7zXZ\x00\x00", "xz")
	f("\xff\xfe{\x00}\x00", "utf-16")
	f("PK\x03\x04", "zip")
}

func TestDecompress(t *testing.T) {
	text := someLines(100)
	for _, in := range [][]byte{text, zstdOf(t, text[:99], text[99:]), gzipOf(t, text)} {
		got, err := io.ReadAll(Decompress(bytes.NewReader(in), "in", Options{}))
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	_, err := io.ReadAll(Decompress(bytes.NewReader(zstdOf(t, text)[:50]), "in", Options{}))
	if err == nil || !strings.HasPrefix(err.Error(), "in: zstd: input is cut") {
		t.Errorf("cut: %v", err)
	}
}

// TestPipeDoesNotWait: lines that arrived come out although the input goes on
// for ever, from every container.
func TestPipeDoesNotWait(t *testing.T) {
	f := func(name string, pack func(s string) []byte) {
		t.Helper()
		pr, pw, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan string)
		src := Source{Name: "pipe", Open: func() (io.ReadCloser, error) { return pr, nil }}
		done := make(chan error)
		go func() {
			done <- Map(context.Background(), []Source{src}, Options{}, texter, func(b *Block) error {
				got <- string(b.Out)
				return nil
			})
		}()
		for _, s := range []string{"1\n", "2\n3\n", "4\n"} {
			pw.Write(pack(s))
			if out := <-got; out != s {
				t.Errorf("%s: %q, want %q", name, out, s)
			}
		}
		pw.Close()
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	f("plain", func(s string) []byte { return []byte(s) })
	f("zstd", func(s string) []byte { return zstdOf(t, []byte(s)) })
	f("zstd and an empty frame", func(s string) []byte { return zstdOf(t, []byte(s), nil) })
	f("gzip", func(s string) []byte { return gzipOf(t, []byte(s)) })
	var b bytes.Buffer
	one, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	f("one frame", func(s string) []byte {
		b.Reset()
		io.WriteString(one, s)
		one.Flush()
		if s == "4\n" {
			one.Close()
		}
		return b.Bytes()
	})
}

// texter copies the lines.
func texter() func(*Block) {
	return func(b *Block) {
		for l := range b.Lines() {
			b.Out = append(append(b.Out, l.Data...), '\n')
		}
	}
}
