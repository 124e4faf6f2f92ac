package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Screen is what a page is shown on.
type Screen struct {
	Width, Height int64 // CSS pixels
	Dark          bool  // the reader prefers dark colours
}

// Screens that people have.
var (
	Desktop = Screen{Width: 1100, Height: 900}
	Phone   = Screen{Width: 360, Height: 740}
)

// Tab is an open page. Its methods fail the test when the browser does.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	messages []string
}

// patience is for a browser on a machine that is busy otherwise.
const patience = 2 * time.Minute

// programs are what Chromium is called, the usual one first.
func programs() []string {
	return []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "chrome"}
}

// find is the browser, "" for none.
func find() string {
	for _, name := range programs() {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// Open shows the page at a URL.
func Open(t testing.TB, url string, screen Screen) *Tab {
	t.Helper()
	program := find()
	if program == "" {
		t.Skip("SKIPPED: no Chromium is installed, nobody looks at the page ($CHROMIUM names one)")
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options(program, t.TempDir())...)
	ctx, closeTab := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser to end
		closeTab()
		stop()
	})
	tab := &Tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, tab.listen); err != nil {
		t.Fatalf("start %s: %v", program, err)
	}
	do(tab, chromedp.Func(screen.set))
	do(tab, chromedp.Navigate(url))
	return tab
}

// On shows the page on another screen, as it is.
func (tab *Tab) On(screen Screen) {
	tab.t.Helper()
	do(tab, chromedp.Func(screen.set))
}

// set makes a tab look like the screen, and the browser tell what it logs.
func (s Screen) set(ctx context.Context, t *chromedp.Target) error {
	scheme := "light"
	if s.Dark {
		scheme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	_, failed := cdp.Call(ctx, t, log.Enable, cdp.Empty{})
	_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
	_, err2 := chromedp.EmulateViewport(s.Width, s.Height)(ctx, t)
	return errors.Join(failed, err, err2)
}

// options keep the browser off the network but for the page, and out of the
// reader's own profile.
func options(program, profile string) []chromedp.ExecAllocatorOption {
	o := []chromedp.ExecAllocatorOption{chromedp.ExecPath(program), chromedp.UserDataDir(profile), chromedp.WSURLReadTimeout(patience)}
	for _, flag := range []string{
		"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "no-default-browser-check", "disable-background-networking",
		"disable-component-update", "disable-sync", "disable-extensions", "disable-dev-shm-usage", "hide-scrollbars",
	} {
		o = append(o, chromedp.Flag(flag, true))
	}
	return o
}

// listen keeps what the browser says about the page: violations of its policy,
// exceptions, what a script logs, dialogs that it opens.
func (tab *Tab) listen(event any) {
	var text string
	switch e := event.(type) {
	case *log.EventEntryAdded:
		text = fmt.Sprintf("%s: %s", e.Entry.Level, e.Entry.Text)
	case *runtime.EventExceptionThrown:
		text = "exception: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		text = fmt.Sprintf("console.%s", e.Type)
	case *page.EventJavascriptDialogOpening:
		text = "dialog: " + e.Message
	default:
		return
	}
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.messages = append(tab.messages, text)
}

// Messages are what the browser said about the page so far.
func (tab *Tab) Messages() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return append([]string(nil), tab.messages...)
}

// do runs an action; the test fails when the browser does.
func do[T any](tab *Tab, action chromedp.Action[T]) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, action)
	if err != nil {
		tab.t.Fatalf("the browser: %v", err)
	}
	return value
}

// Eval is the value of a JavaScript expression. The page's own policy does not
// hold for it.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	return do(tab, chromedp.Evaluate[T](expression))
}

// Text is what a reader sees of the first element that a CSS selector finds.
func (tab *Tab) Text(selector string) string {
	tab.t.Helper()
	return strings.TrimSpace(Eval[string](tab, fmt.Sprintf("document.querySelector(%q)?.innerText ?? '(no such element)'", selector)))
}

// Count is the number of elements that a CSS selector finds.
func (tab *Tab) Count(selector string) int {
	tab.t.Helper()
	return Eval[int](tab, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}

// Screenshot is a PNG picture of the page from its top, as high as it is or the
// given number of pixels.
func (tab *Tab) Screenshot(most int) []byte {
	tab.t.Helper()
	width := Eval[float64](tab, "document.documentElement.clientWidth")
	height := Eval[float64](tab, "document.documentElement.scrollHeight")
	return do(tab, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		beyond := true
		r, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{
			CaptureBeyondViewport: &beyond,
			Clip:                  &page.Viewport{Width: width, Height: min(height, float64(most)), Scale: 1},
		})
		return r.Data, err
	})
}
