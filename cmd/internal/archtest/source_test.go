package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/thinkpipe/thinkpipe/"

// source is one Go file of the project, tests included.
type source struct {
	*ast.File
	dir  string // "pkg/jsonl"
	name string // "pkg/jsonl/reader.go"
	set  *token.FileSet
}

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }
func (s source) isMain() bool { return s.Name.Name == "main" && filepath.Base(s.name) == "main.go" }

func (s source) line(n ast.Node) int { return s.set.Position(n.Pos()).Line }

// imports are the paths a file imports, ours without the module's name.
func (s source) imports() []string {
	var paths []string
	for _, i := range s.Imports {
		paths = append(paths, strings.TrimPrefix(strings.Trim(i.Path.Value, `"`), module))
	}
	return paths
}

// sources are the Go files under cmd and pkg.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("%d files found under %s: the test looks at the wrong place", len(all), projectRoot)
	}
	return all
}

const projectRoot = "../../.."

var parsed = sync.OnceValues(func() ([]source, error) {
	var all []source
	set := token.NewFileSet()
	for _, top := range []string{"cmd", "pkg"} {
		err := filepath.WalkDir(filepath.Join(projectRoot, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(projectRoot, path)
			all = append(all, source{file, filepath.ToSlash(filepath.Dir(name)), filepath.ToSlash(name), set})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
})
