package response

// extend is s with one more element, which keeps the buffers it had when the
// slice was last this long.
func extend[T any](s []T) []T {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	var zero T
	return append(s, zero)
}

// addOnce appends flag unless s has it.
func addOnce(s []string, flag string) []string {
	for _, f := range s {
		if f == flag {
			return s
		}
	}
	return append(s, flag)
}
