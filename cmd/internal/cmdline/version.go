package cmdline

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is what the Go command put into the program: its version, the commit it
// was built of, and the version of Go; "unknown" where it put nothing.
func Version() (version, commit, golang string) {
	version, commit = "unknown", "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version, commit, runtime.Version()
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
	return version, commit, info.GoVersion
}

// versionText is one line: name, version, commit and Go version.
func versionText(name string) string {
	version, commit, golang := Version()
	return fmt.Sprintf("%s %s, commit %s, %s\n", name, version, commit, golang)
}
