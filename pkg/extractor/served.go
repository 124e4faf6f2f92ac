package extractor

import (
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/provenance"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// server is what provenance says about the server of an answer.
type server struct {
	known  bool // whether it splits
	splits bool
	family *reasoning.Family // whose parser it has, nil for none or an unknown one
}

// Provenance sets what is known about the archive of the next lines, nil for
// nothing. It is read, not copied.
func (x *Extractor) Provenance(a *provenance.Archive) {
	if a != x.archive {
		x.archive, x.epoch, x.server = a, -1, server{}
	}
}

// findServer sets the server that answered. Records that do not say which epoch
// they are of are of the only one.
func (x *Extractor) findServer(r *response.Record) {
	if x.archive == nil || r.Epoch == x.epoch {
		return
	}
	x.epoch, x.server = r.Epoch, server{}
	if e := x.archive.Epoch(r.Epoch); e != nil {
		x.server = newServer(&e.Server)
	} else if r.Epoch == 0 && len(x.archive.Epochs) == 1 {
		x.server = newServer(&x.archive.Epochs[0].Server)
	}
}

func newServer(s *provenance.Server) server {
	name := s.ReasoningParser
	f, _ := reasoning.Lookup(name)
	return server{known: s.KnownParsers, splits: name != "" && !strings.Contains(name, "append"), family: f}
}

// served takes what the server does: one that splits has put every thought into a
// field of its own, so that a content begins in the answer. Its parser is for chats.
func (k *known) served(s *server, r *response.Record) {
	switch {
	case !s.known:
	case !s.splits || raw(r):
		k.server = FlagRawManifest
	default:
		k.server = FlagSplitManifest
		if k.open == reasoning.Unknown {
			k.open = reasoning.No
		}
	}
}

// raw reports whether no parser saw the text: it was completed, not asked for in a
// chat, or SGLang was told to leave it whole.
func raw(r *response.Record) bool {
	if separate, ok := r.Request.Get("separate_reasoning").Bool(); ok && !separate {
		return true
	}
	name, _, _ := strings.Cut(r.Shape, " ")
	return name == "completion" || name == "generate" || name == "tgi"
}
