// Rules as regular expressions wherever they can be: an editor's schema has no other way to say them.

/** Text on one line, of 1 to `max` characters without the blanks around it. */
export function oneLine(max: number): RegExp {
  return new RegExp(`^[^\\S\\r\\n]*(?!\\s)[^\\r\\n]{0,${max - 1}}\\S[^\\S\\r\\n]*$`, "u");
}

/** The same pattern, of the whole text, where blanks may stand around it. */
export function trimmable({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replace(/^\^/, "^\\s*").replace(/\$$/, "\\s*$"), flags);
}

/** Text on one line that is not empty. */
export const NOT_BLANK = /^[^\r\n]*[^\s][^\r\n]*$/;

/** What may be a host name: no scheme, no port, no path, no blanks within. */
export const HOST_CHARACTERS = /^\s*[^\s/:@?#%\\“”„‘’]+\s*$/;

/** What a JSON schema is told of IPv6: zod's own pattern for it leaves out some that zod takes, `::ffff:192.0.2.1`. */
export const IPV6_JSON_PATTERN = { pattern: "^[0-9a-fA-F]*:[0-9a-fA-F:.]*(/[0-9]{1,3})?$" };
