// Package cmdline is the front door of the four commands: one hardened
// command-line application, the flags that all share, opened inputs and
// outputs, reports of bad lines, and the one place that turns an error into an
// exit code.
package cmdline
