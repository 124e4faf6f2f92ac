// Package extractor makes samples of archived lines: it reads the response,
// splits the thinking off by a family's format under a set of rules, and says
// what it found. extract runs it over archives, validate before its checks, gen
// on each answer as it comes.
//
//	x, err := extractor.New(extractor.Config{Family: "auto"})
//	…
//	r, err := x.Line(doc.Root())
//	for i := range r.Samples {
//		out = r.Samples[i].AppendJSON(out)
//	}
//
// What the server split already is taken as it is; only where it delivered no
// thinking is the content split. Calls that stand in the answer as markup are
// read, after the split: in a thought they are drafts, unless the thought ends
// with them and nothing else follows. The text of a refusal, which servers keep
// in a field of its own, is content. Texts are spliced, never decoded, so that
// what was archived keeps its bytes; a [Prover] holds samples against that.
//
// An [Extractor] is reused line after line without allocating and is not safe
// for concurrent use; its results are valid until the next call and as long as
// the scanned line is. A [Ledger] belongs to one goroutine.
package extractor
