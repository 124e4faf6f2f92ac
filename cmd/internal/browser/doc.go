// Package browser opens pages in a headless Chromium, for tests of what we
// write as HTML: what a reader would see, not what we meant to write.
//
//	tab := browser.Open(t, url, browser.Desktop)
//	tab.Text("header")
//
// Where no Chromium is installed the test is skipped, and says so. Each test has
// a browser of its own with a new, empty profile; it is gone when the test ends.
package browser
