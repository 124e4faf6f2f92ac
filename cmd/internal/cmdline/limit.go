package cmdline

import (
	"fmt"
	"strconv"
	"strings"
)

// Limit is how many records may fail: a count ("5"), or a rate of all records
// ("0.01" or "1%"). A whole number is always a count, so "1" is one record and
// "1.0" or "100%" is all of them. The zero Limit allows none.
type Limit struct {
	count  int64
	rate   float64 // counts when isRate
	isRate bool
	text   string
}

// ParseLimit reads a count or a rate.
func ParseLimit(text string) (Limit, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return Limit{count: n, text: text}, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	rate, err := strconv.ParseFloat(number, 64)
	if shifted, wrong := strconv.ParseFloat(number+"e-2", 64); percent && wrong == nil {
		rate = shifted // 0.7/100 is not 0.007
	} else if percent {
		rate /= 100
	}
	if err != nil || !decimalNumber.MatchString(number) || rate < 0 || rate > 1 {
		return Limit{}, fmt.Errorf("neither a count such as 5 nor a rate such as 0.01 or 1%%")
	}
	return Limit{rate: rate, isRate: true, text: text}, nil
}

// Set parses text, for use as a flag's value.
func (l *Limit) Set(text string) error {
	parsed, err := ParseLimit(text)
	if err == nil {
		*l = parsed
	}
	return err
}

// String is the limit as it was written, "0" when it was not.
func (l *Limit) String() string {
	if l.text == "" {
		return "0"
	}
	return l.text
}

// Allows reports whether bad records out of total are within the limit. A share
// and a rate that are the same number are the same float64, each being the one
// nearest to it; a product would not be: 0.29*100 < 29.
func (l *Limit) Allows(bad, total int64) bool {
	if l.isRate && bad > 0 {
		return float64(bad)/float64(total) <= l.rate
	}
	return bad <= l.count
}

// IsRate reports whether the limit is a rate, and which.
func (l *Limit) IsRate() (rate float64, ok bool) { return l.rate, l.isRate }

// Count is the number of records allowed, 0 for a rate.
func (l *Limit) Count() int64 { return l.count }
