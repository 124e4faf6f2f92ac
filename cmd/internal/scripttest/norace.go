//go:build !race

package scripttest

const race = false
