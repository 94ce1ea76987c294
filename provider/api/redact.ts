const LIMIT = 2048;
const secrets = new Set<string>();

/** From now on, this text and its usual encodings are hidden in everything that a person may see. */
export function keepSecret(secret: string | undefined): void {
  if (secret !== undefined && secret.length > 0) secrets.add(secret);
}

/**
 * The one exit for text: secrets hidden, control characters and engine directives made harmless, one line, at
 * most 2 KB.
 */
export function clean(text: string): string {
  const hidden = [...secrets].reduce(hide, text);
  const plain = hidden
    .replace(/[\r\n\t\u2028\u2029]+/g, " ")
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD")
    .replaceAll("<{%", "<{ %");
  return Buffer.byteLength(plain) <= LIMIT
    ? plain
    : `${Buffer.from(plain)
        .subarray(0, LIMIT - 8)
        .toString()}...`;
}

/** Servers echo what they were sent as it was, encoded, or cut short. */
function hide(text: string, secret: string): string {
  const base64 = Buffer.from(secret).toString("base64");
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ k: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    base64.replace(/=+$/, ""),
    Buffer.from(secret).toString("base64url"),
    ...(secret.length > 12 ? [secret.slice(0, 12)] : []),
  ];
  return [...new Set(forms)]
    .filter((form) => form !== "")
    .sort((a, b) => b.length - a.length)
    .reduce((shown, form) => shown.replace(pattern(form), "(secret)"), text);
}

/** A very short secret is hidden where it stands alone, or no text could be read any more. */
function pattern(form: string): RegExp {
  const literal = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return form.length < 4 ? new RegExp(`(?<!\\w)${literal}(?!\\w)`, "g") : new RegExp(literal, "g");
}
