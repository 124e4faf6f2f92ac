package cmdline

import (
	"fmt"
	"runtime/debug"
)

// versionText is one line: name, version, commit and Go version, as the Go
// command put them into the program.
func versionText(name string) string {
	version, commit := "unknown", "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return fmt.Sprintf("%s %s, commit %s\n", name, version, commit)
	}
	if info.Main.Version != "" {
		version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			commit += " with changes"
		}
	}
	return fmt.Sprintf("%s %s, commit %s, %s\n", name, version, commit, info.GoVersion)
}
