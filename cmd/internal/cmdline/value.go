package cmdline

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// valueRule says whether a flag takes a value and how that is spelled.
type valueRule struct {
	takes bool // needs one; otherwise it may have one after "="
	check func(value string) (normal string, err error)
}

// ruleOf is stricter than urfave/cli, which reads 010 as 8 and 0x10 as 16.
func ruleOf(f cli.Flag) valueRule {
	switch f := f.(type) {
	case *cli.BoolFlag:
		return valueRule{false, boolean}
	case *cli.IntFlag, *cli.Int64Flag, *cli.IntSliceFlag, *cli.Int64SliceFlag:
		return valueRule{true, wholeNumber}
	case *cli.UintFlag, *cli.Uint64Flag:
		return valueRule{true, naturalNumber}
	case *cli.Float64Flag, *cli.Float64SliceFlag:
		return valueRule{true, decimal}
	case *cli.DurationFlag:
		return valueRule{true, duration}
	case *cli.GenericFlag:
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		return valueRule{!ok || !b.IsBoolFlag(), anything}
	}
	return valueRule{true, anything}
}

func anything(v string) (string, error) { return v, nil }

func boolean(v string) (string, error) {
	if v == "true" || v == "false" {
		return v, nil
	}
	return "", fmt.Errorf("%s is neither true nor false", Quote(v))
}

// wholeNumber reads 010 as 10.
func wholeNumber(v string) (string, error) {
	n, err := strconv.ParseInt(v, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return "", fmt.Errorf("%s is out of range", Quote(v))
	}
	if err != nil {
		return "", fmt.Errorf("%s is not a whole number", Quote(v))
	}
	return strconv.FormatInt(n, 10), nil
}

func naturalNumber(v string) (string, error) {
	n, err := wholeNumber(v)
	if err == nil && strings.HasPrefix(n, "-") {
		return "", fmt.Errorf("%s is below 0", Quote(v))
	}
	return n, err
}

var decimalNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// decimal refuses inf, nan and hexadecimal floats.
func decimal(v string) (string, error) {
	if decimalNumber.MatchString(v) {
		return v, nil
	}
	return "", fmt.Errorf("%s is not a number", Quote(v))
}

func duration(v string) (string, error) {
	if _, err := time.ParseDuration(v); err != nil {
		return "", fmt.Errorf("%s is not a time such as 30s or 10m", Quote(v))
	}
	return v, nil
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
