package main

const (
	// bytesPerToken of a prompt is about 4 in English text, and about 3 in code:
	// it only has to be the same for all.
	bytesPerToken = 4
	// guess is the length of an answer that nothing is known of.
	guess = 1024
	// lookBack is how many answers a lane's mean looks back on, about.
	lookBack = 100
)

// weights guesses how many tokens requests and their answers have, so that servers
// get equal work and not equal counts.
type weights struct {
	means []float64 // tokens of a lane's latest answers, 0 before the first
}

// of is the weight of a request: its prompt and the answer to be expected, which is
// as long as the latest in its lane, and not longer than it may be.
func (w *weights) of(x *wanted) int64 {
	expected := int64(w.means[x.lane])
	switch {
	case expected == 0 && x.most == 0:
		expected = guess
	case expected == 0 || x.most > 0 && x.most < expected:
		expected = x.most
	}
	return int64(len(x.request.Body)/bytesPerToken) + expected
}

// learn takes the length of an answer, 0 when the server did not tell it.
func (w *weights) learn(lane int, tokens int64) {
	mean := &w.means[lane]
	switch {
	case tokens <= 0:
	case *mean == 0:
		*mean = float64(tokens)
	default:
		*mean += (float64(tokens) - *mean) / lookBack
	}
}
