// Package progress tells people how a run is going: one line that is redrawn on
// a terminal, or a plain line now and then elsewhere.
package progress
