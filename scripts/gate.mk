# gate.mk: prompts to a training set, for Makefiles.
#
#	include .../scripts/gate.mk
#	SERVER = http://host:8000
#	all: gsm8k.train.jsonl.zst math.train.jsonl.zst
#
# makes of NAME.prompts.jsonl:
#
#	NAME.raw.jsonl.zst     the archive; the same command resumes it
#	NAME.raw.done          its stamp: every prompt is answered
#	NAME.train.jsonl.zst   what passed the gate; only there when the gate passes
#	NAME.gate.html, .json  its report, on failure, too
#	NAME.missing.jsonl     prompts without an answer: the next round's input
#
# and of NAME.jsonl or NAME.jsonl.zst, samples or an archive that are there already:
#
#	NAME.gate.done         the stamp of a gate that passed, with the same report
#
# What can be set:

SERVER         ?=
GEN_FLAGS      ?=
EXTRACT_FLAGS  ?=
VALIDATE_FLAGS ?=
# A file for validate --rules; what was gated is gated anew when it changes.
RULES          ?= $(wildcard gate.yaml)

# So that no error of an earlier filter is lost.
%.raw.done %.train.jsonl.zst %.gate.done: SHELL := bash
%.raw.done %.train.jsonl.zst %.gate.done: .SHELLFLAGS := -eo pipefail -c

gate-flags = $(addprefix --rules ,$(RULES)) $(VALIDATE_FLAGS) --report html --report-file $*.gate.html --report json --report-file $*.gate.json

# Stamps stay, although Make takes them for steps on the way.
.PRECIOUS: %.raw.done

%.raw.done: %.prompts.jsonl
	gen --server '$(SERVER)' $(GEN_FLAGS) -o $*.raw.jsonl.zst --stamp $@ $<

%.train.jsonl.zst: %.raw.done %.prompts.jsonl $(RULES)
	extract $(EXTRACT_FLAGS) $*.raw.jsonl.zst | validate $(gate-flags) --expect $*.prompts.jsonl --missing $*.missing.jsonl -o $@

%.gate.done: %.jsonl $(RULES)
	validate --check $(gate-flags) $<
	@touch $@

%.gate.done: %.jsonl.zst $(RULES)
	validate --check $(gate-flags) $<
	@touch $@
