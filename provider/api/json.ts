/** An own member of a JSON object, never an inherited one such as `__proto__`. */
export function getOwn(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether it contains any value, at any depth. */
export function hasContent(value: unknown): boolean {
  if (Array.isArray(value) || isJsonObject(value)) return Object.values(value).some(hasContent);
  return value !== undefined && value !== null && value !== "" && value !== false;
}
