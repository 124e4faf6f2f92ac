package archtest

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"
)

// Every package says in doc.go what it is for; of a command, main.go is the manual.
func TestPackagesAreDocumented(t *testing.T) {
	documented := map[string]string{} // folder → file with the package comment
	folders := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		folders[s.dir] = true
		if s.Doc == nil {
			continue
		}
		if other := documented[s.dir]; other != "" {
			t.Errorf("%s and %s both have a package comment", other, s.name)
		}
		documented[s.dir] = s.name
		checkPackageComment(t, s)
	}
	for dir := range folders {
		if documented[dir] == "" {
			t.Errorf("%s has no package comment: a reader starts there", dir)
		}
	}
}

func checkPackageComment(t *testing.T, s source) {
	file, start := "doc.go", "Package "+s.Name.Name+" "
	if s.Name.Name == "main" {
		file, start = "main.go", "Command "+path.Base(s.dir)+" "
	}
	if s.name != s.dir+"/"+file {
		t.Errorf("the package comment of %s belongs into %s", s.name, file)
	}
	if !strings.HasPrefix(s.Doc.Text(), start) {
		t.Errorf("%s: the package comment begins with %q", s.name, start)
	}
}

// Every exported name says what it is, in a comment that starts with it. The
// methods that an interface of the standard library asks for need none.
func TestExportedNamesAreDocumented(t *testing.T) {
	for _, s := range sources(t) {
		if s.isTest() || s.Name.Name == "main" {
			continue
		}
		for _, d := range s.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				checkFunction(t, s, d)
			case *ast.GenDecl:
				checkDeclaration(t, s, d)
			}
		}
	}
}

func checkFunction(t *testing.T, s source, d *ast.FuncDecl) {
	obvious := map[string]bool{"Error": true, "Unwrap": true, "String": true, "Close": true, "Len": true, "Less": true, "Swap": true, "Is": true}
	if !d.Name.IsExported() || d.Recv != nil && (obvious[d.Name.Name] || !exportedReceiver(d)) {
		return
	}
	if !strings.HasPrefix(d.Doc.Text(), d.Name.Name+" ") {
		t.Errorf("%s:%d: %s has no comment that starts with its name", s.name, s.line(d), d.Name.Name)
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	e := d.Recv.List[0].Type
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if generic, ok := e.(*ast.IndexExpr); ok {
		e = generic.X
	}
	id, ok := e.(*ast.Ident)
	return ok && id.IsExported()
}

// checkDeclaration takes the comment of a group for all in it. The values of
// an enumeration are explained by their type.
func checkDeclaration(t *testing.T, s source, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			text := d.Doc.Text() + spec.Doc.Text()
			if spec.Name.IsExported() && !strings.Contains(text, spec.Name.Name) {
				t.Errorf("%s:%d: type %s has no comment with its name", s.name, s.line(spec), spec.Name.Name)
			}
		case *ast.ValueSpec:
			enumeration := d.Tok == token.CONST && d.Specs[0].(*ast.ValueSpec).Type != nil
			if enumeration {
				return
			}
			if spec.Names[0].IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				t.Errorf("%s:%d: %s has no comment", s.name, s.line(spec), spec.Names[0].Name)
			}
		}
	}
}

// A file past 500 lines has a second subject.
func TestFilesAreShort(t *testing.T) {
	for _, s := range sources(t) {
		if n := s.set.Position(s.FileEnd).Line; n > 500 && !s.isTest() {
			t.Errorf("%s has %d lines: look for the second subject", s.name, n)
		}
	}
}
