import { styleText } from "node:util";
import { type Finding, type Report, type Severity, topics } from "./finding";

const titles: Readonly<Record<(typeof topics)[number], string>> = {
  project: "Project",
  versions: "Versions",
  settings: "Settings",
  services: "Services",
  state: "State",
  records: "Records",
};
const colors = { error: "red", warning: "yellow", info: "green" } as const;
/** At most so many alike are printed, then how many more there are. */
const MAX_ALIKE = 10;

/** A report for people. */
export function formatReport({ version, stacks, counts, findings }: Report, isColored: boolean): string {
  const paint = (format: "red" | "yellow" | "green" | "bold" | "dim", text: string) =>
    isColored ? styleText(format, text, { validateStream: false }) : text;
  const where =
    stacks.length === 0
      ? "the environment"
      : `${stacks.length === 1 ? "stack" : "stacks"} ${stacks.join(", ")}`;

  const line = ({ severity, stacks: about, message, remedy }: Finding) => {
    const label = paint(colors[severity], severity.padEnd(8));
    const of = stacks.length > 1 && about.length > 0 ? `[${about.join(", ")}] ` : "";
    const text = `  ${label} ${of}${message}`;
    return remedy === undefined || severity === "info"
      ? text
      : `${text}\n${" ".repeat(11)}${paint("dim", "→")} ${remedy}`;
  };
  const group = (title: string, all: readonly Finding[]) => {
    const kinds = new Map<string, Finding[]>();
    for (const each of all) {
      const kind = `${each.severity} ${each.code}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), each]);
    }
    const lines = [...kinds.values()].flatMap((alike) => {
      const left = alike.length - MAX_ALIKE;
      const more = paint("dim", `  … and ${left} more of this kind; --json shows all`);
      return [...alike.slice(0, MAX_ALIKE).map(line), ...(left > 0 ? [more] : [])];
    });
    return [paint("bold", title), ...lines, ""];
  };

  return [
    paint("bold", `pulumi-tracking ${version} checked ${where}`),
    "",
    ...topics.flatMap((topic) => {
      const all = findings.filter((each) => each.topic === topic);
      return all.length === 0 ? [] : group(titles[topic], all);
    }),
    `${many(counts.error, "error")}, ${many(counts.warning, "warning")}`,
    "",
  ].join("\n");
}

function many(count: number, what: Exclude<Severity, "info">): string {
  return `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : "s"}`;
}
