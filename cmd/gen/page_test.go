package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/browser"
	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
)

// shownRun is gen with a page. Prompts are written to its input, which stays open.
type shownRun struct {
	*exec.Cmd
	io.WriteCloser
	url string
}

func showRun(t *testing.T, server string) *shownRun {
	t.Helper()
	cmd := exec.Command(filepath.Join(scripttest.Build(t, "gen"), "gen"), "--server", server, "--require", "none", "-c", "4", "--attempts", "1", "--grace", "1m",
		"--progress", "never", "--sync-interval", "20ms", "--monitor", ":0", "-o", filepath.Join(t.TempDir(), "raw.jsonl"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("gen says nowhere where the page is: %v", err)
		}
		if m := pageURL.FindStringSubmatch(line); m != nil {
			return &shownRun{cmd, in, m[1] + "/"}
		}
	}
}

// prompts are asked, with ids and data sets that would be HTML if they were not text.
func (r *shownRun) prompts(t *testing.T, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if _, err := fmt.Fprintf(r, `{"id":"p%d <img src=x onerror=alert(1)>","prompt":"What is %d?","dataset":"<b>sums</b>"}`+"\n", i, i); err != nil {
			t.Fatal(err)
		}
	}
}

// see waits until an expression of the page is true.
func see(t *testing.T, tab *browser.Tab, expression string) {
	t.Helper()
	for begun := time.Now(); !browser.Eval[bool](tab, expression); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("never was %s in\n%s", expression, tab.Text("body"))
		}
	}
}

func reads(t *testing.T, tab *browser.Tab, wants ...string) {
	t.Helper()
	text := tab.Text("body")
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// inOrder holds a page against what holds of it at every time: no complaint of the
// browser but that a run is gone, nothing from elsewhere, no element made of data.
func inOrder(t *testing.T, tab *browser.Tab) {
	t.Helper()
	wrong := slices.DeleteFunc(tab.Messages(), func(m string) bool { return strings.Contains(m, "net::ERR_") })
	abroad := browser.Eval[[]string](tab, `performance.getEntriesByType("resource").map((r) => r.name).filter((n) => !n.startsWith(location.origin) && !n.startsWith("data:"))`)
	if len(wrong) > 0 || len(abroad) > 0 {
		t.Errorf("the browser says %q; loaded from elsewhere: %q", wrong, abroad)
	}
	if n := tab.Count("img, table b, article b b"); n > 0 {
		t.Errorf("%d elements are made of data", n)
	}
}

// account is the page's account of prompts.
const account = `document.querySelector(".account").innerText`

// TestPageFromHealthyToStopped looks at a run from its beginning until it is drained.
func TestPageFromHealthyToStopped(t *testing.T) {
	r := showRun(t, "sim:?latency=1ms&fail=400:0.2&parser=on&empty=0.2")
	tab := browser.Open(t, r.url, browser.Desktop)
	reads(t, tab, "raw.jsonl", "running", "0 done")
	r.prompts(t, 0, 40)
	see(t, tab, account+`.startsWith("40 in = ") && `+account+`.includes(" 0 pending")`)
	reads(t, tab, "<b>sums</b>", "<img src=x onerror=alert(1)>", "http.4xx", "The request was rejected", "missing", "Thinking:")

	// What has not changed stays, a selection for one, when new figures come.
	browser.Eval[struct{}](tab, `document.querySelector("h1").mark = true; getSelection().selectAllChildren(document.querySelector("h1"))`)
	r.prompts(t, 40, 60)
	see(t, tab, account+`.startsWith("60 in = ") && document.querySelector("h1").mark && String(getSelection()) === "raw.jsonl"`)

	// Under the pointer a chart says its values.
	see(t, tab, `document.querySelector("#flight").dataset.tips.split("|").length > 2`)
	browser.Eval[struct{}](tab, `{ const s = document.querySelector("#flight svg"), r = s.getBoundingClientRect();
		s.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: r.left + r.width / 2, clientY: r.top + 5 })) }`)
	see(t, tab, `/UTC +\d+$/.test(document.querySelector("#flight output").innerText)`)

	phone := browser.Phone
	phone.Dark = true
	tab.On(phone)
	see(t, tab, `innerWidth === 360 && document.documentElement.scrollWidth <= 360`)

	if err := r.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	see(t, tab, `document.body.dataset.state === "stopped"`)
	if err := r.Wait(); r.ProcessState.ExitCode() != 75 {
		t.Errorf("%v", err)
	}
	reads(t, tab, "stopped", "Stopped before the end (exit 75).", "stopped by SIGTERM before the end", "60 in = ")
	if text := tab.Text("body"); strings.Contains(text, "no newer ones come") {
		t.Errorf("a verdict, and a doubt about it:\n%s", text)
	}
	inOrder(t, tab)
}

// TestPageOfAKilledRun looks at a run that goes without a word: the page says so and
// keeps the last figures.
func TestPageOfAKilledRun(t *testing.T) {
	r := showRun(t, "sim:?latency=1ms")
	tab := browser.Open(t, r.url, browser.Desktop)
	r.prompts(t, 0, 9)
	see(t, tab, account+`.startsWith("9 in = 9 done")`)
	r.Process.Kill()
	see(t, tab, `document.querySelector(".state").innerText === "stopped"`)
	reads(t, tab, "no newer ones come", "The run has stopped, or the way to it is cut", "9 in = 9 done")
	inOrder(t, tab)
}

// TestPageWithoutScript reads a page whose script does not run: figures and charts
// are there, and soon it says by itself that it is old.
func TestPageWithoutScript(t *testing.T) {
	r := showRun(t, "sim:?latency=1ms&parser=on")
	r.prompts(t, 0, 5)
	live := browser.Open(t, r.url, browser.Desktop)
	see(t, live, account+`.startsWith("5 in = 5 done") && document.querySelector("#flight .line").getAttribute("d") !== ""`)
	dir := t.TempDir() // where page.js is missing
	for name, path := range map[string]string{"page.html": "", "page.css": "page.css"} {
		resp, err := http.Get(r.url + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	tab := browser.Open(t, "file://"+dir+"/page.html", browser.Desktop)
	reads(t, tab, "running", "5 in = 5 done", "Recent answers", "a minute")
	if !browser.Eval[bool](tab, `document.querySelector("#flight .line").getAttribute("d") !== "" && typeof merge === "undefined"`) {
		t.Error("there is no chart, or the script runs")
	}
	see(t, tab, `getComputedStyle(document.querySelector("#stale")).visibility === "visible"`)
	reads(t, tab, "no newer ones come")
}
