import { type ServiceRequest, sentField } from "../../emulator/service/request";
import type { Fault, RequestMatch } from "./fault";

/** A fault that was added, and how many requests it matched and was applied to. */
interface ActiveFault {
  fault: Fault;
  matched: number;
  struck: number;
}

/** The active faults, in the order they were added. */
export class Faults {
  #active: ActiveFault[] = [];

  add(fault: Fault): void {
    this.#active.push({ fault, matched: 0, struck: 0 });
  }

  clear(): void {
    this.#active = [];
  }

  /**
   * The fault to apply to this request: the first that matches and is due. Every matching fault counts it.
   *
   * @param unread whether the body is not read yet, which matters only to `reset-unread`
   */
  take(request: ServiceRequest, unread: boolean): ActiveFault | undefined {
    const matching = this.#active.filter(
      ({ fault }) => (fault.reply === "reset-unread") === unread && matches(fault.match, request),
    );
    for (const each of matching) each.matched += 1;
    const struck = matching.find(isDue);
    if (struck !== undefined) struck.struck += 1;
    return struck;
  }
}

/** Whether a request matches. */
function matches({ method, path, field }: RequestMatch, request: ServiceRequest): boolean {
  return (
    (method === undefined || method.toUpperCase() === request.method) &&
    (path === undefined || matchesPath(path, request.path)) &&
    Object.entries(field ?? {}).every(([name, value]) => String(sentField(request, name)) === value)
  );
}

/** Whether a path equals the pattern, or begins with it if it ends with `*`. */
export function matchesPath(meant: string, path: string): boolean {
  return meant.endsWith("*") ? path.startsWith(meant.slice(0, -1)) : path === meant;
}

function isDue({ fault: { match }, matched, struck }: ActiveFault): boolean {
  const times = match.times ?? 1;
  return matched >= (match.nth ?? 1) && (times === 0 || struck < times);
}
