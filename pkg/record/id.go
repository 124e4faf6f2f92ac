package record

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// promptIDFields are the keys that may hold a prompt's id, in order of precedence.
var promptIDFields = [...]string{"id", "custom_id", "uuid", "question_id", "task_id"}

// ID is the id of a prompt or answer: a string, compared by its decoded value,
// or a number, compared by its text. A number and a string never match. The
// zero ID is none; so are "" and null, but 0 is an id.
type ID struct {
	text   jsonscan.Text
	number bool
}

// IDOf is the id that a value holds, the zero ID when it is neither a string
// nor a number. It refers to the value's line.
func IDOf(v jsonscan.Value) ID {
	switch v.Kind() {
	case jsonscan.String:
		return ID{text: v.Text()}
	case jsonscan.Number:
		return ID{text: jsonscan.Text{Raw: v.Raw()}, number: true}
	}
	return ID{}
}

// StringID is the id with the decoded value s.
func StringID(s string) ID { return ID{text: jsonscan.Quote(s)} }

// PromptID is the id of a prompt: the value of field where one is given, else
// the first of id, custom_id, uuid, question_id and task_id that holds one.
func PromptID(v jsonscan.Value, field string) ID {
	if field == "" {
		field = PromptIDKey(v)
	}
	return IDOf(v.Get(field))
}

// PromptIDKey is the key that PromptID takes the id from, "" for none.
func PromptIDKey(v jsonscan.Value) string {
	for _, f := range promptIDFields {
		if !IDOf(v.Get(f)).IsZero() {
			return f
		}
	}
	return ""
}

// AnswerID is the id of an archived line: custom_id, then id, then the rest of
// a prompt's fields. bareBody says that the line is itself a response body,
// whose own id ("chatcmpl-…") names the response and not the prompt.
func AnswerID(v jsonscan.Value, bareBody bool) ID {
	if id := IDOf(v.Get("custom_id")); !id.IsZero() {
		return id
	}
	for _, f := range promptIDFields {
		if f == "id" && bareBody {
			continue
		}
		if id := IDOf(v.Get(f)); !id.IsZero() {
			return id
		}
	}
	return ID{}
}

// IsZero reports whether there is no id.
func (id ID) IsZero() bool { return len(id.text.Raw) == 0 }

// String is the decoded text of the id, for messages.
func (id ID) String() string { return id.text.String() }

// Key is a comparable form: different ids have different keys. It does not
// refer to the line.
func (id ID) Key() string { return string(id.AppendKey(nil)) }

// AppendKey appends Key to dst.
func (id ID) AppendKey(dst []byte) []byte {
	if id.IsZero() {
		return dst
	}
	if id.number {
		return append(append(dst, '#'), id.text.Raw...)
	}
	return id.text.AppendTo(append(dst, '"'))
}

// AppendJSON appends the id as it stood in its line; `""` for none.
func (id ID) AppendJSON(dst []byte) []byte {
	if id.number {
		return append(dst, id.text.Raw...)
	}
	return id.text.AppendQuoted(dst)
}

// Clone is the id without reference to its line.
func (id ID) Clone() ID {
	id.text.Raw = append([]byte(nil), id.text.Raw...)
	return id
}

// Key names one answer that is wanted: a sample of a turn of a prompt.
type Key struct {
	ID     ID
	Sample int
	Turn   int
}

// Append appends a comparable form: different keys have different forms.
func (k Key) Append(dst []byte) []byte {
	dst = strconv.AppendInt(dst, int64(k.Sample), 10)
	dst = append(dst, '.')
	dst = strconv.AppendInt(dst, int64(k.Turn), 10)
	return k.ID.AppendKey(append(dst, ':'))
}

// Hasher hashes keys to 64 bits. Hashes of one Hasher may be compared with one
// another only; two of n keys share one with a probability of about n²/2⁶⁵.
type Hasher struct {
	seed maphash.Seed
	buf  []byte
}

// NewHasher returns a Hasher with a random seed. Copies share the seed; each
// goroutine needs a copy of its own.
func NewHasher() Hasher { return Hasher{seed: maphash.MakeSeed()} }

// Hash is the hash of a key.
func (h *Hasher) Hash(k Key) uint64 {
	h.buf = k.Append(h.buf[:0])
	return maphash.Bytes(h.seed, h.buf)
}

// Bytes is the hash of any bytes.
func (h *Hasher) Bytes(b []byte) uint64 { return maphash.Bytes(h.seed, b) }

// Namer gives an id to lines that have none: "h-" and the first 16 hex digits
// of the sha256 of the line's bytes, and "-2", "-3" … for lines seen before, so
// that identical prompts stay distinct. It remembers about 20 bytes for each
// line it named.
type Namer struct {
	seen map[LineHash]uint32
}

// nameBytes of a line's sha256 make its name.
const nameBytes = 8

// AppendName appends the name of a line whatever stood before it, the same for
// identical lines: "h-" and 16 hex digits.
func AppendName(dst, line []byte) []byte {
	h := HashOf(line)
	return hex.AppendEncode(append(dst, "h-"...), h[:])
}

// Name returns the id of the next line.
func (n *Namer) Name(line []byte) ID { return n.NameHash(HashOf(line)) }

// LineHash is what the name of a line without id is made of: the first 8 bytes of
// the sha256 of its bytes.
type LineHash [nameBytes]byte

// HashOf is the hash of a line.
func HashOf(line []byte) LineHash {
	sum := sha256.Sum256(line)
	return LineHash(sum[:])
}

// NameHash is Name for who has the line's hash already.
func (n *Namer) NameHash(h LineHash) ID {
	if n.seen == nil {
		n.seen = map[LineHash]uint32{}
	}
	n.seen[h]++
	name := "h-" + hex.EncodeToString(h[:])
	if times := n.seen[h]; times > 1 {
		name += "-" + strconv.FormatUint(uint64(times), 10)
	}
	return StringID(name)
}
