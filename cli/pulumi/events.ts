import { z } from "zod";
import { SECRET, SIGNATURE } from "../../provider/hosts/marshal";
import { HIDDEN } from "./hidden";
import { type EnginePreview, jsonIn, preview, resourceState, shapeOf } from "./json-output";
import { type PolicyViolation, violation } from "./policies";

/** A state in an event: what it lacks is null or empty there. */
const state = z.preprocess(
  (value) =>
    Object.fromEntries(Object.entries(value ?? {}).filter(([, member]) => member !== null && member !== "")),
  resourceState,
);

const step = z.object({ op: z.string(), urn: z.string(), old: state.nullish(), new: state.nullish() });

/** One line of a preview that prints its events, as far as it is read here. */
const event = z.object({
  sequence: z.number(),
  resourcePreEvent: z.object({ metadata: step }).exactOptional(),
  diagnosticEvent: z
    .object({
      severity: z.string(),
      prefix: z.string().default(""),
      message: z.string(),
      urn: z.string().exactOptional(),
      ephemeral: z.boolean().default(false),
    })
    .exactOptional(),
  policyEvent: violation.exactOptional(),
});
type Event = z.infer<typeof event>;

/** A secret in an event has the engine's mark, and another text in place of its value. */
function hideSecret(_name: string, value: unknown): unknown {
  const isSecret = typeof value === "object" && value !== null && Reflect.get(value, SIGNATURE) === SECRET;
  return isSecret ? HIDDEN : value;
}

function eventIn(line: string): Event[] {
  if (!line.startsWith('{"sequence":')) return [];
  try {
    return [shapeOf("pulumi preview", event, JSON.parse(line, hideSecret))];
  } catch (error) {
    // An engine that is killed leaves its last line cut.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function stepOf({ resourcePreEvent }: Event): EnginePreview["steps"] {
  if (resourcePreEvent === undefined) return [];
  const { op, urn, old, new: next } = resourcePreEvent.metadata;
  return [{ op, urn, ...(old && { oldState: old }), ...(next && { newState: next }) }];
}

function diagnosticOf({ diagnosticEvent }: Event): EnginePreview["diagnostics"] {
  if (diagnosticEvent === undefined) return [];
  const { severity, prefix, message, urn, ephemeral } = diagnosticEvent;
  if (ephemeral) return [];
  return [{ severity, message: prefix + message, ...(urn !== undefined && { urn }) }];
}

/**
 * Reads what a preview printed: its events, which say what policies do, or, of an engine that prints no events, one JSON.
 * Undefined if it printed neither.
 */
export function printedPreview(
  stdout: string,
): (EnginePreview & { violations: readonly PolicyViolation[] }) | undefined {
  const events = stdout.split("\n").flatMap(eventIn);
  if (events.length > 0)
    return {
      steps: events.flatMap(stepOf),
      diagnostics: events.flatMap(diagnosticOf),
      violations: events.flatMap(({ policyEvent }) => policyEvent ?? []),
    };
  const json = jsonIn(stdout);
  return json === undefined ? undefined : { ...shapeOf("pulumi preview", preview, json), violations: [] };
}
