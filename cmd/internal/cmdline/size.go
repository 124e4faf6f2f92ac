package cmdline

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Size is the value of a flag that counts bytes: a whole number with an
// optional suffix K, M, G or T, powers of 1024 ("64K", "1G"; KiB and MB are read
// the same way).
type Size int64

// NewSize is a flag's value with its default.
func NewSize(n int64) *Size {
	s := Size(n)
	return &s
}

// Set parses text.
func (s *Size) Set(text string) error {
	n, err := ParseSize(text)
	if err == nil {
		*s = Size(n)
	}
	return err
}

// String is the shortest spelling.
func (s *Size) String() string {
	n, unit := int64(*s), 0
	for n > 0 && n%1024 == 0 && unit < len(sizeUnits) {
		n /= 1024
		unit++
	}
	return strconv.FormatInt(n, 10) + sizeUnits[max(unit-1, 0):unit]
}

const sizeUnits = "KMGT"

var sizePattern = regexp.MustCompile(`^([0-9]+)(?:([KMGT])(?:I?B)?|B)?$`)

// ParseSize is the number of bytes that text says, at least 1.
func ParseSize(text string) (int64, error) {
	m := sizePattern.FindStringSubmatch(strings.ToUpper(text))
	if m == nil {
		return 0, errors.New("not a number of bytes such as 65536, 64K or 1G")
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	shift := 0
	if m[2] != "" {
		shift = 10 * (1 + strings.Index(sizeUnits, m[2]))
	}
	switch {
	case err != nil || n > math.MaxInt64>>shift:
		return 0, errors.New("out of range")
	case n == 0:
		return 0, errors.New("below 1")
	}
	return n << shift, nil
}
