import { catalogue } from "../../provider/resources";
import { pluralName } from "../../provider/schema/resource";
import { shellQuote } from "../shell-quote";
import type { Format } from "./formats";

/** The kinds of record, as `--only` takes them, such as `websites`. */
export const recordKinds: readonly string[] = catalogue.map(pluralName);

/** The command's options, as typed. */
export interface ImportOptions {
  declared?: boolean;
  out?: string;
  format?: Format;
  /** One of `recordKinds`. */
  only?: string;
  match?: string[];
  exclude?: string[];
  from?: string;
  stack?: string;
  file?: string;
  apply?: boolean;
  force?: boolean;
}

/** The command as a person types it. */
export function commandLine(options: ImportOptions): string {
  const option = (name: string, value: string | undefined) =>
    value === undefined ? [] : [name, shellQuote(value)];
  return [
    "npx pulumi-tracking import",
    ...(options.declared ? ["--declared"] : []),
    ...option("--out", options.out),
    ...option("--format", options.format),
    ...option("--only", options.only),
    ...(options.match ?? []).flatMap((each) => option("--match", each)),
    ...(options.exclude ?? []).flatMap((each) => option("--exclude", each)),
    ...option("--from", options.from),
    ...option("--stack", options.stack),
    ...option("--file", options.file),
    ...(options.apply ? ["--apply"] : []),
    ...(options.force ? ["--force"] : []),
  ].join(" ");
}
