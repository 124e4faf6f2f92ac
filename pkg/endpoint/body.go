package endpoint

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

var errTooLong = errors.New("the answer is too long")

const (
	firstRead = 8 << 10 // of a body of unknown length; doubled as it grows
	trusted   = 1 << 20 // Content-Length that is believed at once
)

// readBody reads all of the body, at most about most bytes. What was read is
// returned beside an error.
func readBody(resp *http.Response, w *watch, most int64) ([]byte, error) {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil, nil // has no end
	}
	size := int64(firstRead)
	if resp.ContentLength > 0 {
		size = min(resp.ContentLength, trusted) + 1 // one more to see the end
	}
	raw := make([]byte, 0, size)
	for {
		n, err := resp.Body.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		w.touch()
		switch {
		case err == io.EOF:
			return raw, nil
		case err != nil:
			return raw, err
		case int64(len(raw)) > most:
			return raw, errTooLong
		}
		if len(raw) == cap(raw) {
			raw = append(raw, make([]byte, cap(raw))...)[:len(raw)]
		}
	}
}

// decode undoes a content encoding that was not asked for. encoding is what was
// undone, "" when raw is as it came. Of a body that was cut, what can be decoded
// is; otherwise a fault leaves raw as it is and is returned.
func decode(raw []byte, header string, wasCut bool) (plain []byte, encoding string, err error) {
	encoding = strings.ToLower(strings.TrimSpace(header))
	if encoding == "" || encoding == "identity" || len(raw) == 0 {
		return raw, "", nil
	}
	r, err := decoder(raw, encoding)
	if err == nil {
		plain, err = io.ReadAll(io.LimitReader(r, maxBody+1))
		if len(plain) > maxBody {
			plain, err = plain[:0], errTooLong
		}
	}
	if err != nil && !(wasCut && len(plain) > 0) {
		return raw, "", fmt.Errorf("content-encoding %q: %w", encoding, err)
	}
	return plain, encoding, nil
}

func decoder(raw []byte, encoding string) (io.Reader, error) {
	switch encoding {
	case "gzip", "x-gzip":
		return gzip.NewReader(bytes.NewReader(raw))
	case "deflate": // zlib by RFC 9110, but some send the bare stream
		if z, err := zlib.NewReader(bytes.NewReader(raw)); err == nil {
			return z, nil
		}
		return flate.NewReader(bytes.NewReader(raw)), nil
	case "zstd":
		d, err := zstd.NewReader(bytes.NewReader(raw), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxBody))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, errors.New("not known")
}
