package main

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// epochs numbers the states that servers are in. Numbers are those of the archive
// that is resumed: a server that is what it was has the number that it had.
type epochs struct {
	mu   sync.Mutex
	last int                // the highest number that is taken
	all  []provenance.Epoch // of the archives, those of this run behind them
	vain map[int]bool       // numbers that mean different states in different archives
	used map[int]bool       // numbers of this run
	now  map[int]int        // of servers, by their index
}

func newEpochs() *epochs {
	return &epochs{vain: map[int]bool{}, used: map[int]bool{}, now: map[int]int{}}
}

// inherit takes over what earlier runs left beside an archive. A number that two
// archives have for different states is not used again.
func (e *epochs) inherit(a *provenance.Archive) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, epoch := range a.Epochs {
		i := slices.IndexFunc(e.all, func(have provenance.Epoch) bool { return have.Number == epoch.Number })
		switch {
		case i < 0:
			e.all = append(e.all, epoch)
		case !e.all[i].Same(&epoch.Server):
			e.vain[epoch.Number] = true
		}
		e.last = max(e.last, epoch.Number)
	}
}

// taken says that an archive has exchanges of an epoch.
func (e *epochs) taken(number int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last = max(e.last, number)
}

// enter notes that a server is in a state and returns the number of its epoch.
// before is the state that it was in, or that the last run found, nil when there
// was none or it is the same.
func (e *epochs) enter(server int, name string, is provenance.Server, at time.Time) (number int, before *provenance.Server) {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.IndexFunc(e.all, func(have provenance.Epoch) bool { return !e.vain[have.Number] && have.Same(&is) })
	if i < 0 {
		before = e.lastOf(server, name)
		e.last++
		e.all = append(e.all, provenance.Epoch{Number: e.last, Since: at, Server: is})
		i = len(e.all) - 1
	}
	epoch := &e.all[i]
	if !slices.Contains(epoch.Servers, name) {
		epoch.Servers = append(epoch.Servers, name)
	}
	e.now[server], e.used[epoch.Number] = epoch.Number, true
	return epoch.Number, before
}

// lastOf is the state that a server was in, by index in this run, else by name in
// the last.
func (e *epochs) lastOf(server int, name string) *provenance.Server {
	for i := len(e.all) - 1; i >= 0; i-- {
		epoch := e.all[i]
		if n, ok := e.now[server]; ok && n == epoch.Number || !ok && slices.Contains(epoch.Servers, name) {
			return &epoch.Server
		}
	}
	return nil
}

// of is the number of a server's epoch, 0 when it was not met yet.
func (e *epochs) of(server int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.now[server]
}

// state is what a server is, as far as it told.
func (e *epochs) state(server int) provenance.Server {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, epoch := range e.all {
		if epoch.Number == e.now[server] && !e.vain[epoch.Number] {
			return epoch.Server
		}
	}
	return provenance.Server{}
}

// ofRun are the epochs of this run, in order.
func (e *epochs) ofRun() []provenance.Epoch {
	e.mu.Lock()
	defer e.mu.Unlock()
	var run []provenance.Epoch
	for _, epoch := range e.all {
		if e.used[epoch.Number] {
			epoch.Servers, epoch.Arguments = slices.Clone(epoch.Servers), maps.Clone(epoch.Arguments)
			run = append(run, epoch)
		}
	}
	return run
}
