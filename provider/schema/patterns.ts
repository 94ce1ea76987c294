// Regular expressions wherever possible, since an editor's schema has no other way to express these rules.

/** Text on one line, of 1 to `max` characters, not counting surrounding blanks. */
export function oneLine(max: number): RegExp {
  return new RegExp(`^[^\\S\\r\\n]*(?!\\s)[^\\r\\n]{0,${max - 1}}\\S[^\\S\\r\\n]*$`, "u");
}

/** Text on one line that is not empty. */
export const NOT_BLANK = /^[^\r\n]*[^\s][^\r\n]*$/;

/** The characters of a host name: no scheme, no port, no path, no inner blanks. */
export const HOST_CHARACTERS = /^\s*[^\s/:@?#%\\“”„‘’]+\s*$/;

/** IPv6 in a JSON schema: zod's own pattern refuses some addresses that zod accepts, such as `::ffff:192.0.2.1`. */
export const IPV6_JSON_PATTERN = { pattern: "^[0-9a-fA-F]*:[0-9a-fA-F:.]*(/[0-9]{1,3})?$" };
