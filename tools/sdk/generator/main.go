// Command generator writes the package of one language from a Pulumi package schema, without that language's host.
//
//	generator python|go SCHEMA FOLDER
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// name stands in the first line of each generated file.
const name = "pulumi-tracking"

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "generator python|go SCHEMA FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(language, file, folder string) error {
	pkg, err := read(file)
	if err != nil {
		return err
	}
	files, err := generate(language, pkg)
	if err != nil {
		return err
	}
	for path, text := range files {
		place := filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(place, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// read takes no finding of the schema's lightly: a warning would be a wrong word in every language.
func read(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, findings, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if len(findings) > 0 {
		return nil, findings
	}
	return pkg, nil
}

func generate(language string, pkg *schema.Package) (map[string][]byte, error) {
	switch language {
	case "python":
		return python.GeneratePackage(name, pkg, nil, nil)
	case "go":
		return gogen.GeneratePackage(name, pkg, nil)
	}
	return nil, fmt.Errorf("there is no generator for %q: python or go", language)
}
