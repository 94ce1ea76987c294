import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import * as sdk from "../../sdk";
import { ROOT } from "../../tools/root.mjs";
import { blocks, guide, readme, reference } from "../docs/readme";

const require = createRequire(__filename);

type TypeScript = typeof ts;

/** What has been built for all tests here, and packed. */
const types = join(ROOT, "dist");

const IMPORTS = 'import * as pulumi from "@pulumi/pulumi";\nimport * as tracking from "pulumi-tracking";\n';

describe("what is published", () => {
  test("imports Pulumi's types, and those of no other package, but for the emulator", () => {
    const ours = files().filter((file) => !file.includes(join("dist", "emulator")));
    const texts = ours.map((file) => readFileSync(file, "utf8"));
    const imports = texts.flatMap((text) => [...text.matchAll(/(?:from|import\() *['"]([^'"]+)['"]/g)]);
    expect(new Set(imports.map(([, name]) => name))).toEqual(
      new Set(["@pulumi/pulumi", "@pulumi/pulumi/dynamic"]),
    );
  });

  test("is any nowhere, but where Pulumi's own types are", () => {
    expect(readFileSync(join(types, "sdk", "index.d.ts"), "utf8")).not.toMatch(/\bany\b(?! )/);
  });

  test("has arguments with their words for editors, that may be left out, and no word of undefined beside them", () => {
    const file = join(types, "sdk", "index.d.ts");
    const text = readFileSync(file, "utf8");
    const args = text.match(/^export interface \w+Args \{.*?^}/gms) ?? [];
    expect(args.join("\n")).not.toContain("undefined");
    const program = ts.createProgram([file], { strict: true, skipLibCheck: true });
    const checker = program.getTypeChecker();
    const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile) as ts.Symbol;
    const documented = checker
      .getExportsOfModule(module)
      .filter(({ name, flags }) => /Args$/.test(name) && flags & ts.SymbolFlags.Interface)
      .flatMap((each) => checker.getDeclaredTypeOfSymbol(each).getProperties())
      .map((each) => [each.name, ts.displayPartsToString(each.getDocumentationComment(checker))] as const);
    expect(documented.length).toBeGreaterThan(24);
    for (const [name, words] of documented)
      expect([name, words]).toEqual([name, expect.stringMatching(/\w/)]);
    expect(text).toMatch(/Protected by default(?:(?!\*\/)[\s\S])*\*\/\n.*class Website /);
  });
});

/** Programs that are right, by what they show. */
const right: Record<string, string> = {
  "a website with everything that it can have":
    'export const { domain } = new tracking.Website("a", { domain: pulumi.output("a.example"), privacy: "password", password: pulumi.secret("p"), emailReports: true, excludeBots: Promise.resolve(true), excludeParams: ["a", pulumi.output("b")], excludeIps: pulumi.output(["192.0.2.1"]), adopt: true }, { protect: false });',
  "a pixel of a provider that is a value or a word":
    'for (const type of [tracking.PixelType.Bing, "x"] as const) new tracking.Pixel(type, { name: "n", type, value: "1" });',
  "an instance that is distinguished from other values":
    "const domains = (all: unknown[]) => all.filter(tracking.Website.isInstance).map(({ domain }) => domain);\nexport const first: pulumi.Output<string> | undefined = domains([])[0];",
  "a class of one's own over that of the package":
    'class Site extends tracking.Website { readonly label = "site"; }\nexport const label = new Site("a", { domain: "a.example" }).label;',
  "what a file declares, passed on":
    'const { websites, pixels }: tracking.Declared = tracking.declareFrom("a.yaml", { protect: false });\nexport const ids = [...Object.values(websites), ...Object.values(pixels)].map(({ id }) => id);',
  "look-ups with no arguments, with empty ones and with outputs":
    'tracking.getAccount(); tracking.getItems({}); tracking.getWebsites({ search: "a", perPage: 100 });\nconst shop = tracking.Website.get("shop", "5", { password: "p" });\nexport const seen = tracking.getWebsiteOutput({ id: shop.id }, { dependsOn: [shop] }).privacy;',
  "a validation, by its answer":
    'export const buyer = tracking.validatePurchaseOutput({ purchaseCode: "c" }).apply((it) => (it.valid === true ? it.purchase.item.name : it.reason));',
};

/** Programs that are wrong, each with the error that it should give. */
const wrong: [string, string, RegExp][] = [
  ["an argument that a look-up hasn't", "tracking.getAccount({ nonsense: true });", /TS2322/],
  [
    "an argument that the Output form hasn't",
    'tracking.getItemOutput({ itemId: 1, nonsense: "" });',
    /nonsense/,
  ],
  [
    "a mistyped argument, by the type's name",
    'new tracking.Website("a", { domian: "a.b" });',
    /'WebsiteArgs'/,
  ],
  ["two ways to one record", 'tracking.getWebsite({ id: "5", domain: "a.example" });', /TS2345/],
  ["no way to a record", "tracking.getPixel({});", /TS2345/],
  ["state that no resource has", 'tracking.Website.get("a", "5", { nonsense: 1 });', /nonsense/],
  [
    "an option that is for one resource alone",
    'tracking.declareFrom("a", { aliases: [{ name: "b" }] });',
    /name/,
  ],
  ["a setting that a provider hasn't", 'new tracking.Provider("a", { nonsense: "" });', /nonsense/],
  ["a member before it is known", "const a = {}; (a as object).domain;", /domain/],
];

const examples = new Map(ts.sys.readDirectory(join(ROOT, "sdk"), [".ts"]).flatMap(examplesIn));

test("every class, every look-up and declareFrom show an example", () => {
  const shown = Object.entries(sdk).filter(
    ([name, each]) => typeof each === "function" && !name.endsWith("Output"),
  );
  expect([...examples.keys()].sort()).toEqual(shown.map(([name]) => name).sort());
});

/** Of the README, the guide and the reference. */
const documented = [
  ...[readme, guide].flatMap((text) => blocks("ts", text)),
  ...Object.values(reference).flatMap((text) => blocks("typescript", text)),
];

describe("a program", () => {
  const programs = [
    ...Object.values(right).map((text) => `${IMPORTS}${text}`),
    ...[...examples.values()].map((text) => `${IMPORTS}export async function example() {\n${text}\n}`),
    ...documented,
    ...["quickstart", "purchase-gate", "tracking-in-git"].map((name) =>
      readFileSync(join(ROOT, "examples", name, "index.ts"), "utf8"),
    ),
  ];

  test("that is right compiles, and so do those of the JSDoc, the documents and the examples", () => {
    expect(documented.length).toBeGreaterThan(6);
    const exact = { strict: true, exactOptionalPropertyTypes: true };
    expect(complaints(programs, exact)).toEqual([]);
  });

  test("compiles with the TypeScript that Pulumi brings, strictly or as it does without settings", () => {
    const old = pulumiTypeScript();
    expect(old.version).toBe("3.8.3");
    expect(complaints(programs, { strict: true }, old)).toEqual([]);
    const nonsense = `${IMPORTS}tracking.getAccount({ nonsense: true });`;
    expect(complaints([...programs, nonsense], {}, old)).toEqual([
      expect.stringMatching(`program-${programs.length + 1}.*TS2322`),
    ]);
  });

  test("that is wrong does not compile", () => {
    const said = complaints(wrong.map(([, text]) => `${IMPORTS}${text}`));
    for (const [at, [says, , error]] of wrong.entries()) {
      const own = said.filter((line) => line.startsWith(`program-${at + 1}.ts:`));
      expect([says, own.length, own.join("\n")]).toEqual([says, 1, expect.stringMatching(error)]);
    }
  });
});

function files(folder = types): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => join(folder, name));
}

/** The TypeScript that Pulumi brings for programs which have none of their own. */
function pulumiTypeScript(): TypeScript {
  const vendor = join(dirname(require.resolve("@pulumi/pulumi/package.json")), "vendor");
  const name = readdirSync(vendor).find((each) => each.startsWith("typescript@")) ?? "";
  return require(join(vendor, name, "typescript.js"));
}

/** What the compiler has to say of programs that import the published types by the package's name. */
function complaints(
  programs: readonly string[],
  options: ts.CompilerOptions = { strict: true },
  compiler: TypeScript = ts,
): string[] {
  const files = new Map(programs.map((text, at) => [join(types, `program-${at + 1}.ts`), text]));
  const all = settings(options);
  const program = compiler.createProgram([...files.keys()], all, host(compiler, all, files));
  return [...files.keys()]
    .map((file) => program.getSourceFile(file))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, start = 0, code, messageText }) => {
      const { line = -1 } = file?.getLineAndCharacterOfPosition(start) ?? {};
      const words = compiler.flattenDiagnosticMessageText(messageText, "\n");
      return `${file?.fileName.slice(types.length + 1)}:${line + 1} TS${code} ${words}`;
    });
}

/** The examples in the JSDoc of what a file exports, by its names. */
function examplesIn(file: string): [name: string, example: string][] {
  const { statements } = ts.createSourceFile(file, ts.sys.readFile(file) ?? "", ts.ScriptTarget.Latest, true);
  return statements.flatMap((each) => {
    const [tag] = ts.getJSDocTags(each).filter(({ tagName }) => tagName.text === "example");
    const named = ts.isVariableStatement(each)
      ? each.declarationList.declarations[0]
      : (each as ts.ClassDeclaration);
    return tag ? [[named?.name?.getText() ?? "", ts.getTextOfJSDocComment(tag.comment) ?? ""]] : [];
  });
}

function settings(options: ts.CompilerOptions): ts.CompilerOptions {
  return {
    target: ts.ScriptTarget.ES2020,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: 2,
    esModuleInterop: true,
    noEmit: true,
    types: ["node"],
    baseUrl: types,
    paths: { "pulumi-tracking": [join(types, "sdk", "index.d.ts")] },
    ...options,
  };
}

/** What was parsed for an earlier program, by its compiler. Files on disk stay as they are; most are of packages. */
const parsed = new Map<TypeScript, Map<string, ts.SourceFile | undefined>>();

function host(compiler: TypeScript, options: ts.CompilerOptions, files: ReadonlyMap<string, string>) {
  const disk = compiler.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = disk;
  const known = parsed.get(compiler) ?? new Map<string, ts.SourceFile | undefined>();
  parsed.set(compiler, known);
  return Object.assign(disk, {
    fileExists: (file: string) => files.has(file) || fileExists(file),
    readFile: (file: string) => files.get(file) ?? readFile(file),
    getSourceFile: (file: string, target: ts.ScriptTarget, ...rest: []) => {
      const text = files.get(file);
      if (text !== undefined) return compiler.createSourceFile(file, text, target);
      if (!known.has(file)) known.set(file, getSourceFile(file, target, ...rest));
      return known.get(file);
    },
  });
}
