/** An own member of a JSON object, so that a name such as `__proto__` means nothing. */
export function getOwn(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether anything is in it, however deep. */
export function hasContent(value: unknown): boolean {
  if (Array.isArray(value) || isJsonObject(value)) return Object.values(value).some(hasContent);
  return value !== undefined && value !== null && value !== "" && value !== false;
}
