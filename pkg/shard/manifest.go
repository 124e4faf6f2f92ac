package shard

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// manifestVersion is the only one there is.
const manifestVersion = 1

// OrderSuffix makes the name of a manifest's order file: one line for each line
// that was dealt out, in order, with the number of its file in Files, from 0.
const OrderSuffix = ".order.zst"

// Manifest says what a split wrote. As JSON its members have the names below; Sum
// and the members of a File stand beside each other.
type Manifest struct {
	Version int    `json:"version"`
	By      string `json:"by"`       // the rule, as --by names it
	Shards  int    `json:"shards"`   // N of the rule
	IDField string `json:"id_field"` // where the ids are, "" for the usual keys
	Order   string `json:"order"`    // the order file, relative to the manifest's folder
	// OrderSHA256 is the hex sha256 of the order file, uncompressed; "" where a
	// manifest says none.
	OrderSHA256 string `json:"order_sha256"`
	Sum
	Files []File `json:"files"`
}

// File is one of the files that were written.
type File struct {
	Name  string `json:"file"`  // relative to the manifest's folder
	Shard int    `json:"shard"` // its number under the rule
	Sum
}

// Sum is what is known of some lines. Bytes and SHA256 are of the lines with a
// newline each, uncompressed, whatever container the file has: what
// "zstd -dc FILE | sha256sum" prints.
type Sum struct {
	Lines  int64  `json:"lines"`
	Bytes  int64  `json:"bytes"`
	IDs    string `json:"ids"`              // an IDSum
	SHA256 string `json:"sha256,omitempty"` // hex; of single files
}

// FilePath is where a file is that a manifest names: in the folder that the manifest
// itself is in, by whatever links that was named.
func FilePath(manifest, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return manifest[:strings.LastIndexByte(manifest, '/')+1] + name
}

// IDSum is a hash of a set of ids that does not depend on their order: the sum
// modulo 2¹²⁸ of their digests (see [DigestOfID]) as big-endian numbers. Sums of
// parts can be added.
type IDSum struct{ hi, lo uint64 }

// Add adds an id.
func (s *IDSum) Add(d Digest) {
	k := d.key()
	s.Join(IDSum{k.Hi, k.Lo})
}

// Join adds the ids of another sum.
func (s *IDSum) Join(t IDSum) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, t.lo, 0)
	s.hi, _ = bits.Add64(s.hi, t.hi, carry)
}

// String is 32 hex digits.
func (s IDSum) String() string {
	d := Key{s.hi, s.lo}.digest()
	return hex.EncodeToString(d[:])
}

// parseIDSum reads what String writes.
func parseIDSum(s string) (sum IDSum, ok bool) {
	var d Digest
	if len(s) != 2*len(d) {
		return sum, false
	}
	_, err := hex.Decode(d[:], []byte(s))
	k := d.key()
	return IDSum{k.Hi, k.Lo}, err == nil
}

// AppendJSON appends the manifest as an indented JSON object with a line for each
// file.
func (m *Manifest) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"version":`...), manifestVersion, 10)
	dst = jsonscan.AppendString(append(dst, `,"by":`...), m.By)
	dst = strconv.AppendInt(append(dst, `,"shards":`...), int64(m.Shards), 10)
	dst = jsonscan.AppendString(append(dst, `,"id_field":`...), m.IDField)
	dst = jsonscan.AppendString(append(dst, `,"order":`...), m.Order)
	dst = jsonscan.AppendString(append(dst, `,"order_sha256":`...), m.OrderSHA256)
	dst = append(m.Sum.append(append(dst, ',')), `,"files":[`...)
	for i, f := range m.Files {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonscan.AppendString(append(dst, "\n {\"file\":"...), f.Name)
		dst = strconv.AppendInt(append(dst, `,"shard":`...), int64(f.Shard), 10)
		dst = append(f.Sum.append(append(dst, ',')), '}')
	}
	return append(dst, "\n]}\n"...)
}

func (s Sum) append(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `"lines":`...), s.Lines, 10)
	dst = strconv.AppendInt(append(dst, `,"bytes":`...), s.Bytes, 10)
	dst = jsonscan.AppendString(append(dst, `,"ids":`...), s.IDs)
	if s.SHA256 != "" {
		dst = jsonscan.AppendString(append(dst, `,"sha256":`...), s.SHA256)
	}
	return dst
}

// ParseManifest reads a manifest. Its sums must add up.
func ParseManifest(data []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("no manifest: %w", err)
	}
	switch {
	case m.Version != manifestVersion:
		return nil, fmt.Errorf("no manifest of version %d, which is the one that is read", manifestVersion)
	case m.Order == "":
		return nil, errors.New("no manifest: it names no order")
	}
	var lines, bytes int64
	var ids IDSum
	for _, f := range m.Files {
		part, ok := parseIDSum(f.IDs)
		if !ok || f.Name == "" || f.Lines < 0 || f.Bytes < 0 || len(f.SHA256) != 64 {
			return nil, fmt.Errorf("no manifest: its file %.80q lacks a name, counts, a sum of ids or a sha256", f.Name)
		}
		lines += f.Lines
		bytes += f.Bytes
		ids.Join(part)
	}
	if lines != m.Lines || bytes != m.Bytes || ids.String() != m.IDs {
		return nil, errors.New("the manifest was changed: its files do not add up")
	}
	return m, nil
}
