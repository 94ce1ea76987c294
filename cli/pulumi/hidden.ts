import { unmarshal } from "../../provider/hosts/marshal";
import { isUnknown } from "../../provider/schema/resource";

/** What the engine's preview prints instead of a secret. */
export const HIDDEN = "[secret]";

/** Whether a preview hides this value, or a part of this list. */
export function isHidden(value: unknown): boolean {
  return [value].flat().includes(HIDDEN);
}

/** Whether a preview shows this value: it is neither secret nor still to be computed. */
export function isShown(value: unknown): boolean {
  return !isHidden(value) && !isUnknown(unmarshal({ value }).value);
}
