// Package extractor makes samples of archived lines: it reads the response,
// splits the thinking off by a family's format under a set of rules, and says
// what it found. extract runs it over archives, validate before its checks, gen
// on each answer as it comes.
package extractor
