package cmdline

import (
	"fmt"
	"math"
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

// ParseSize is the number of bytes that text says, at least 1.
func ParseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "KMGTiBkmgtb")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("not a number of bytes such as 65536, 64K or 1G")
	}
	suffix := strings.ToUpper(text[len(digits):])
	suffix = strings.TrimSuffix(strings.TrimSuffix(suffix, "B"), "I")
	power := strings.Index(sizeUnits, suffix) + 1
	if suffix == "" {
		power = 0
	}
	if len(suffix) > 1 || suffix != "" && power == 0 {
		return 0, fmt.Errorf("unknown unit, use K, M, G or T")
	}
	if n > math.MaxInt64>>(10*power) {
		return 0, fmt.Errorf("out of range")
	}
	return n << (10 * power), nil
}
