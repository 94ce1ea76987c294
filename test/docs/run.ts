import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import * as tracking from "../../sdk";

const require = createRequire(__filename);

/** Runs a document's program, and resolves with its exports. */
export async function runs(text: string): Promise<unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2023,
      esModuleInterop: true,
    },
  });
  const module = { exports: {} as unknown };
  const load = (name: string) => (name === "pulumi-tracking" ? tracking : require(name));
  new Function("module", "exports", "require", outputText)(module, module.exports, load);
  const exported = typeof module.exports === "function" ? await module.exports() : module.exports;
  return new Promise((resolve) => pulumi.output(exported).apply(resolve));
}
