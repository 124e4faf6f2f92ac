package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// nameRule keeps a name of another package out of all files but some.
type nameRule struct {
	pkg, name string // "os", "Exit"
	allowed   func(source) bool
	why       string
}

func nameRules() []nameRule {
	main := source.isMain
	nowhere := func(source) bool { return false }
	const process = "the process belongs to main.go; everything else is given its streams, so that tests can give others"
	return []nameRule{
		{"os", "Exit", main, "it skips what is deferred: outputs stay open, nothing is told"},
		{"os", "Stdin", main, process},
		{"os", "Stdout", main, process},
		{"os", "Stderr", main, process},
		{"os", "Args", main, process},
		{"log", "Fatal", nowhere, "it ends the process and skips what is deferred"},
		{"cli", "Exit", nowhere, "an exit code is given by cmdline.Failed"},
		{"http", "DefaultClient", nowhere, "it has no time limits"},
		{"http", "DefaultTransport", nowhere, "it is shared with everybody and follows the environment's proxy"},
		{"http", "DefaultServeMux", nowhere, "it is shared with everybody"},
	}
}

func TestNames(t *testing.T) {
	rules := nameRules()
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			for _, r := range rules {
				if ok && pkg.Name == r.pkg && sel.Sel.Name == r.name && !r.allowed(s) {
					t.Errorf("%s:%d: %s.%s: %s", s.name, s.line(n), r.pkg, r.name, r.why)
				}
			}
			return true
		})
	}
}

// fastjson writes Go syntax where a string holds a control byte, so it may
// only read.
func TestFastjsonOnlyReads(t *testing.T) {
	writers := []string{"MarshalTo", "Arena", "ArenaPool", "NewObject", "NewArray", "SetArrayItem"}
	for _, s := range sources(t) {
		if s.isTest() || !slices.Contains(s.imports(), "github.com/valyala/fastjson") {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && slices.Contains(writers, sel.Sel.Name) {
				t.Errorf("%s:%d: %s: fastjson writes invalid JSON for some strings, append with jsonscan.AppendString",
					s.name, s.line(n), sel.Sel.Name)
			}
			return true
		})
	}
}

// A package variable that changes is shared by everybody who imports the
// package; one that does not is a table, a sentinel or a compiled pattern.
func TestNoStateInPackages(t *testing.T) {
	all := sources(t)
	variables := packageVariables(all)
	for _, s := range all {
		if s.isTest() {
			continue
		}
		for _, d := range s.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s:%d: init: what an import does unasked cannot be tested or left out", s.name, s.line(d))
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR && !isEmbedded(d) {
					checkVariables(t, s, d)
				}
			}
		}
		checkAssignments(t, s, variables[s.dir])
	}
}

// checkVariables refuses variables that have no value of their own or one that
// is made to change.
func checkVariables(t *testing.T, s source, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		v := spec.(*ast.ValueSpec)
		for i, name := range v.Names {
			if name.Name == "_" {
				continue
			}
			if i >= len(v.Values) || !isConstant(v.Values[i]) {
				t.Errorf("%s:%d: var %s: package variables are error sentinels, compiled patterns and literal tables only",
					s.name, s.line(name), name.Name)
			}
		}
	}
}

// isEmbedded reports whether a variable holds files of the source: checkAssignments
// sees that it goes on doing so.
func isEmbedded(d *ast.GenDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:embed ") })
}

// isConstant reports whether a value is one of the kinds that may stand in a
// package variable.
func isConstant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return !isFrom(e.Type, "sync", "atomic")
	case *ast.UnaryExpr:
		return e.Op == token.AND && isConstant(e.X)
	case *ast.CallExpr:
		return makesConstant(e)
	}
	return false
}

// isFrom reports whether a type is one of the packages'.
func isFrom(e ast.Expr, packages ...string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && slices.Contains(packages, pkg.Name)
}

// makesConstant knows the calls that make what never changes afterwards.
func makesConstant(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.ArrayType: // []byte("…")
		return true
	case *ast.FuncLit: // a table that is computed
		return true
	case *ast.Ident: // a function of the package that computes a table
		return f.Name != "new" && f.Name != "make"
	case *ast.SelectorExpr:
		pkg, _ := f.X.(*ast.Ident)
		return pkg != nil && slices.Contains([]string{"errors.New", "fmt.Errorf", "regexp.MustCompile", "strings.NewReplacer",
			"maphash.MakeSeed", "crc32.MakeTable", "crc64.MakeTable", "math.Inf", "math.NaN", "reflect.TypeOf", "reflect.TypeFor"}, pkg.Name+"."+f.Sel.Name)
	}
	return false
}

// packageVariables are the names of each folder's package variables.
func packageVariables(all []source) map[string]map[string]bool {
	names := map[string]map[string]bool{}
	for _, s := range all {
		for _, d := range s.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR || s.isTest() {
				continue
			}
			for _, spec := range g.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if names[s.dir] == nil {
						names[s.dir] = map[string]bool{}
					}
					names[s.dir][name.Name] = true
				}
			}
		}
	}
	return names
}

// checkAssignments refuses assignments to package variables.
func checkAssignments(t *testing.T, s source, variables map[string]bool) {
	ast.Inspect(s.File, func(n ast.Node) bool {
		var changed []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				changed = n.Lhs
			}
		case *ast.IncDecStmt:
			changed = []ast.Expr{n.X}
		}
		for _, e := range changed {
			if id := root(e); id != nil && variables[id.Name] && isPackageLevel(s, id) {
				t.Errorf("%s:%d: %s is a package variable and changes here", s.name, s.line(n), id.Name)
			}
		}
		return true
	})
}

// root is the x of x, x.f, x[i] and *x.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// isPackageLevel uses the parser's own resolution: what it cannot find in the
// file is declared in another file of the package.
func isPackageLevel(s source, id *ast.Ident) bool {
	return id.Obj == nil || s.Scope.Lookup(id.Name) == id.Obj
}

// Unfinished business belongs nowhere in what users get.
func TestNoLeftovers(t *testing.T) {
	word := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)
	for _, s := range sources(t) {
		for _, group := range s.Comments {
			if w := word.FindString(group.Text()); w != "" {
				t.Errorf("%s:%d: %s: finish it or leave it out", s.name, s.line(group), w)
			}
		}
	}
}
