package main

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// loop drives a run: one goroutine that owns the scheduler, the ledger and the
// account. Others read prompts, send requests and write the archive; they report
// through channels.
type loop struct {
	s         *cmdline.Session
	cfg       *config
	servers   *servers
	members   members
	ledger    *ledger
	sched     *scheduler.Scheduler[*wanted]
	archive   *keeper   // nil without -o
	stream    *keeper   // nil with -o and without --tee
	past      *past     // what conversations and cut answers go on from, nil for none
	parsers   sync.Pool // of *response.Parser
	listeners sync.Pool // of *listener
	meter     *cmdline.Meter
	teller    *teller // nil without --status
	watch     watch
	id        string // of the run

	inspectors *inspectors // of answers
	require    requirement // of answers, settled by the probes
	canary     *canary
	probes     probes
	chronicle  *chronicle
	mute       bool // it was told that the chronicle cannot be written
	inFlight   int  // requests, probes not counted

	weights weights
	tally   tally
	prompts int64     // lines read, bad ones included
	known   int64     // answers wanted by all prompts, -1 unknown
	shown   time.Time // when --show showed an answer
	drought drought
	lost    time.Duration // in which this process stood still

	items   chan item // read from the prompts
	results chan result
	trials  chan result  // of the probe's question to servers that rest
	total   chan []int64 // tells known, by lane
	missed  chan int     // servers that could not be reached
	changes chan change  // of servers that are not what they were
	signals chan os.Signal
	pipes   chan os.Signal   // nobody reads it
	grace   <-chan time.Time // when what is in flight is given up

	advised   bool      // of --clamp-max-tokens
	stale     bool      // --servers-file is to be read again
	more      bool      // prompts may still come
	files     bool      // all of them from regular files
	broken    error     // inputs that could not be read to their end
	exit      error     // why nothing new is sent, nil while the run goes on
	caught    os.Signal // that began to drain
	draining  bool      // that is why exit is set
	tokenless bool      // it was told that token ids do not come
	told      bool      // and that n of a prompt is not taken
	atOnce    bool      // nothing in flight is waited for any more
	abort     func()    // ends what is in flight
}

func newLoop(s *cmdline.Session, c *config) (*loop, error) {
	servers, err := open(c)
	if err != nil {
		return nil, err
	}
	sched, err := scheduler.New[*wanted](c.scheduling(len(servers.all())))
	if err != nil {
		servers.close()
		return nil, err
	}
	inspectors, err := newInspectors(c.family, check.Optional)
	if err != nil {
		servers.close()
		return nil, cmdline.Usagef("--family: %w", err)
	}
	l := &loop{
		s: s, cfg: c, servers: servers, ledger: newLedger(), sched: sched,
		inspectors: inspectors,
		weights:    weights{make([]float64, len(c.lanes))},
		id:         newID("run_"), items: make(chan item), results: make(chan result), trials: make(chan result), known: -1, more: true,
		total: make(chan []int64, 1), signals: make(chan os.Signal, 16), pipes: make(chan os.Signal, 1),
	}
	l.watch = l.newWatch()
	if c.monitor != "" {
		l.inspectors.quotes.every = everyExcerpt
	}
	l.require, l.canary = nothing, newCanary(c.canary, c.maxBadRate)
	l.probes.came, l.changes, l.missed = make(chan probed), make(chan change), make(chan int, 1)
	l.chronicle = newChronicle(l.thisRun())
	signal.Notify(l.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2)
	if c.serversFile != "" || !signal.Ignored(syscall.SIGHUP) { // of nohup
		signal.Notify(l.signals, syscall.SIGHUP)
	}
	signal.Notify(l.pipes, syscall.SIGPIPE) // a closed pipe is seen by the write that meets it
	return l, nil
}

// scheduling is how requests to so many servers are scheduled.
func (c *config) scheduling(servers int) scheduler.Config {
	s := scheduler.Config{
		Servers: servers, Attempts: c.attempts, Rate: c.rate, Ramp: c.ramp, Patience: cmp.Or(c.patience, -1),
		Rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
	}
	for i, slots := range c.slotsOf(c.fleet) {
		s.Lanes = append(s.Lanes, scheduler.Lane{Name: c.lanes[i].name, Slots: slots})
	}
	if c.deadline > 0 {
		s.Deadline = time.Now().Add(c.deadline)
	}
	return s
}

// main is the keeper whose word counts.
func (l *loop) main() *keeper {
	if l.archive != nil {
		return l.archive
	}
	return l.stream
}

// close gives back signals and connections.
func (l *loop) close() {
	signal.Stop(l.signals)
	signal.Stop(l.pipes)
	l.servers.close()
	l.past.close()
}

// run asks everything, or as much as signals and servers allow. The error says
// why it stopped before the end.
func (l *loop) run(ctx context.Context) error {
	s, end := l.begin(ctx)
	defer end()
	for {
		l.start(s)
		if l.ended() {
			return errors.Join(l.exit, l.broken)
		}
		l.await(s)
		l.look()
	}
}

// spans are how long parts of a run last.
type spans struct {
	reading context.Context // of prompts, and of what is asked of servers besides: all of it
	sending context.Context // until what is in flight is given up
	probing context.Context // until nobody waits for probes any more
}

// begin starts what runs beside the loop; end waits for it.
func (l *loop) begin(ctx context.Context) (s spans, end func()) {
	var stopReading context.CancelFunc
	s.reading, stopReading = context.WithCancel(ctx)
	s.sending, l.abort = context.WithCancel(ctx)
	s.probing, l.probes.cancel = context.WithCancel(s.sending)
	l.files = allRegular(l.s.Files())
	go newFeed(l.cfg, l.s.Options(), l.ledger.hasher).run(s.reading, l.s.Inputs(), l.items)
	l.startMeter(s.reading)
	stopPulse := l.servers.pulse.Start()
	l.enlist(s.reading)
	stopObserving := l.observe(s.reading)
	return s, func() {
		stopObserving()
		l.parted()
		stopPulse()
		l.probes.cancel()
		l.abort()
		stopReading()
	}
}

// ended reports whether nothing is left to do. Probes that are still in flight then
// are given up.
func (l *loop) ended() bool {
	if !l.sched.Idle() || l.reads() {
		return false
	}
	if l.probes.inFlight > 0 {
		l.probes.cancel()
		return false
	}
	return true
}

// await takes what comes next.
func (l *loop) await(s spans) {
	toArchive, a := l.archive.next()
	toStream, b := l.stream.next()
	select {
	// What is asked, and what became of it.
	case it, open := <-l.wants():
		l.take(it, open)
	case r := <-l.results:
		l.done(r)

	// What is kept.
	case toArchive <- a:
		l.archive.pass()
	case toStream <- b:
		l.stream.pass()
	case <-l.archive.awake():
		l.kept(l.archive)
	case <-l.stream.awake():
		l.kept(l.stream)

	// Servers, as they are met, probed and changed.
	case m := <-l.members.met:
		l.greeted(s.reading, m)
	case p := <-l.probes.came:
		l.acquainted(s.reading, p)
	case <-l.probes.patience:
		l.conclude(s.reading)
	case r := <-l.trials:
		l.tried(r)
	case c := <-l.changes:
		l.changed(c)

	// People, and time.
	case sig := <-l.signals:
		l.signal(sig)
	case <-l.grace:
		l.graceOver()
	case n := <-l.total:
		l.foresee(n)
	case due := <-l.after():
		l.watch.book.Late(time.Since(due), time.Now())
	}
}

// wants is where prompts come from, nil while nothing can be done with one.
func (l *loop) wants() <-chan item {
	if l.reads() && (l.exit != nil || l.sched.Wants()) {
		return l.items
	}
	return nil
}

// reads reports whether prompts are still taken. A run that was stopped reads its
// files to their end, to account for what is pending; a pipe may never end.
func (l *loop) reads() bool {
	return l.more && (l.exit == nil || l.files && !l.atOnce)
}

// after is when something is due although nothing happened: a retry, a redraw.
func (l *loop) after() <-chan time.Time {
	now := time.Now()
	wait := time.Minute
	if d, ok := l.sched.Wait(now); ok {
		wait = d
	}
	if !l.probes.over || !l.canary.room(l.inFlight) { // an answer is waited for, or the deadline
		wait = max(wait, 100*time.Millisecond)
	}
	wait = min(wait, l.watch.due.Sub(now))
	return time.After(max(wait, time.Millisecond))
}

// start sends what may be sent.
func (l *loop) start(s spans) {
	now := time.Now()
	if lost := l.servers.pulse.Lost(); lost > l.lost { // this process stood still
		l.sched.Shift(lost - l.lost)
		l.lost = lost
	}
	if l.stale {
		l.reload(s.sending)
	}
	if l.sched.Overdue(now) {
		l.stop(l.cfg.overdue())
	}
	if !l.ready(s.probing) {
		return
	}
	l.try(s.probing)
	for l.exit == nil && !l.archive.behind() && !l.stream.behind() && l.canary.room(l.inFlight) {
		job := l.sched.Next(now)
		if job == nil {
			return
		}
		l.inFlight++
		w := job.Value
		w.flight = l.watch.book.Sent(w.key.ID.String(), w.lane, l.servers.at(job.Server).Name(), w.group, now)
		go func() { l.results <- l.send(s.sending, job) }()
	}
}

// take admits the wanted answers of one line of prompts.
func (l *loop) take(it item, open bool) {
	if !open {
		l.more = false
		l.sched.NoMore()
		return
	}
	if it.err != nil {
		l.unreadable(it.err)
		return
	}
	l.prompts++
	if it.bad != nil {
		l.tally.in++
		l.bad(it.bad)
	}
	if it.several && !l.told {
		l.told = true
		l.s.Warn("%s: n is not taken from prompts, each is asked once; --samples N gets N answers", it.wanted[0].pos)
	}
	for _, w := range it.wanted {
		l.admit(w)
	}
}

// admit decides what to do with a wanted answer.
func (l *loop) admit(w *wanted) {
	l.tally.in += w.turns()
	l.watch.book.Wanted(w.lane, w.group, w.turns())
	verdict, e := clash, entry{}
	if !l.ledger.another(w) {
		verdict, e = l.ledger.admit(w.hash, w.print, w.home, l.cfg.policy)
	}
	switch verdict {
	case ask:
		l.expect(w)
		l.ask(cmp.Or(l.part(w), w))
	case repeat:
		l.expect(w)
	case have:
		l.expect(w)
		if more := l.unfinished(w, e); more != nil {
			l.ask(more)
			return
		}
		l.have(w, e)
	case changed:
		l.stop(l.changedRequest(w))
	case clash:
		l.tally.bad += w.turns() - 1
		l.watch.book.Settled(w.lane, w.group, 0, 0, 0, w.turns())
		l.bad(&badLine{w.pos, w.key.ID.String(), l.which(w) + "another prompt before it has this id", w.line})
	}
}

// ask has a wanted answer sent, unless the run is to end.
func (l *loop) ask(w *wanted) {
	if l.exit == nil {
		l.probes.prepare(w)
		l.sched.AddWeighted(w.lane, w, l.weights.of(w))
	}
}

// have counts an answer that is settled already.
func (l *loop) have(w *wanted, e entry) {
	l.settled(w.lane, w.group, e.state, 1)
	switch {
	case e.times > 1 && e.state == done && !e.counted:
		l.tally.before++
	case e.times > 1: // a repeat, settled in this run or told
	case e.state == done:
		l.tally.before++
		l.goBack(w)
	case e.state == dead:
		l.deadBefore(w, e)
		l.leave(w, dead)
	}
}

func (l *loop) deadBefore(w *wanted, e entry) {
	code := l.ledger.codes[e.code]
	l.s.Bad(w.pos, w.key.ID.String(), l.which(w)+"dead since an earlier run: "+code+"; --retry "+code+" asks it again", w.line)
}

func (l *loop) bad(b *badLine) {
	l.tally.bad++
	l.s.Bad(b.pos, b.id, b.cause, b.raw)
}

// unreadable notes an input that cannot be read on; the others are.
func (l *loop) unreadable(err error) {
	var wrong *wrongAPI
	if errors.As(err, &wrong) {
		l.stop(cmdline.Usagef("%w", err))
		return
	}
	l.broken = errors.Join(l.broken, err)
}

// done takes the result of one attempt: what follows is decided, and the
// exchange is handed on to be kept.
func (l *loop) done(r result) {
	l.inFlight--
	decision := l.sched.Done(r.job, r.outcome, r.verdict.After, time.Now())
	r.exchange.Retried = decision.Retry || r.more != nil
	l.complain(&r)
	defer l.adviseClamp(&r) // behind what is told of the failure
	w := r.job.Value
	settles := l.settles(&r, decision)
	if settles == failed || settles == dead {
		l.s.Bad(w.pos, w.key.ID.String(), l.which(w)+r.cause(), w.line)
	}
	l.weights.learn(w.lane, r.tokens)
	if r.more != nil {
		l.tally.continued++
	}
	if r.outcome == scheduler.Answered && w.clamped > 0 {
		l.tally.clamped++
	}
	l.show(&r)
	l.guard(&r)
	l.chronicled(w.archive)
	e := kept{archive: w.archive, line: r.line, hash: w.hash, as: settles, attempt: l.attempt(&r)}
	if e.line == nil {
		e.line = r.exchange.AppendJSON(nil)
	}
	l.archive.add(e)
	l.stream.add(e)
	if r.more != nil {
		l.ask(r.more)
	}
	l.goOn(&r, settles)
	l.missTokenIDs(&r)
	l.halt(&r)
}

// settles is the state that a result settles its wanted answer in; pending also
// what the end of the run keeps from being asked again.
func (l *loop) settles(r *result, next scheduler.Decision) state {
	switch {
	case r.more != nil:
		return pending
	case r.outcome == scheduler.Answered:
		return done
	case r.outcome == scheduler.Dead:
		return dead
	case !next.Retry && r.outcome != scheduler.Dropped && l.exit == nil && !l.sched.Tripped():
		return failed
	}
	return pending
}

// kept counts what a keeper has kept. When the one whose word counts could not
// write, nothing in flight is of use any more; when standard output beside the
// archive could not, the run drains.
func (l *loop) kept(k *keeper) {
	err := k.failed()
	l.settleKept()
	switch {
	case err == nil:
	case k == l.main():
		l.stop(l.unkept(err))
		l.abort()
	default:
		l.stop(err)
	}
}

// settleKept counts what the keeper whose word counts has kept.
func (l *loop) settleKept() {
	for _, k := range l.main().take() {
		if k.attempt != nil {
			l.watch.book.Kept(k.attempt)
		}
		if k.as != pending {
			l.settled(k.attempt.Lane, k.attempt.Group, k.as, l.ledger.settle(k.hash, k.as))
		}
	}
}

// settled counts n wanted answers that reached a state.
func (l *loop) settled(lane int, group string, as state, n int64) {
	l.tally.add(as, n)
	var in [dead + 1]int64
	in[as] = n
	l.watch.book.Settled(lane, group, in[done], in[failed], in[dead], 0)
}
