/** Shows every record and who manages it, in four formats of one listing. */
import type { Command } from "commander";
import { notify } from "../command-line";
import { writeOrFail } from "../new-file";
import { interruptible } from "../pulumi/process";
import { addStackOptions, type StackOptions, stackOptionsOf } from "../stack-options";
import { type Listing, listRecords } from "./listing";
import { formatMarkdown } from "./markdown";
import { formatPage } from "./page";
import { formatTable } from "./table";

const formats = {
  json: (listing: Listing) => `${JSON.stringify(listing, undefined, 2)}\n`,
  table: (listing: Listing, room?: number) => formatTable(listing, room),
  markdown: formatMarkdown,
  html: (listing: Listing) => formatPage(listing, new Date()),
};

interface ListOptions extends StackOptions {
  json?: boolean;
  format?: keyof typeof formats;
  out?: string;
}

const AFTER_HELP = `
Exit codes: 0 done, 1 something can't be read, 2 invalid arguments.

Example, a page to open in a browser:
  npx pulumi-tracking list --all-stacks --format html --out tracking.html`;

/** Adds `pulumi-tracking list`, which shows every record and who manages it. */
export function addListCommand(program: Command): void {
  const command = program
    .command("list")
    .description("List all websites and pixels, and which resources manage them. Changes nothing.");
  const format = command.createOption("--format <format>", "how to show them (default: table)");
  addStackOptions(command, "read")
    .option("--json", "the same as --format json")
    .addOption(format.choices(Object.keys(formats)).conflicts("json"))
    .option("--out <file>", "write to a file, and replace it if it exists")
    .addHelpText("after", AFTER_HELP)
    .action(async ({ json, format = json ? "json" : "table", out, ...options }: ListOptions) => {
      const listing = await interruptible(
        () => listRecords(stackOptionsOf(options), process.cwd(), { warn: notify, debug: notify }),
        () => notify("Interrupted; nothing was changed."),
      );
      if (out !== undefined) writeOrFail(out, formats[format](listing), "w");
      else
        process.stdout.write(
          formats[format](listing, process.stdout.isTTY ? process.stdout.columns : undefined),
        );
    });
}
