import type { PixelSeed, WebsiteSeed } from "../service";

/** Combinations that people set in the web interface. */
const settings: readonly Partial<WebsiteSeed>[] = [
  { privacy: 1, email: 0, exclude_bots: 1 },
  { privacy: 0, email: 1, exclude_bots: 0 },
  { privacy: 2, password: "hidden-1", email: 0, exclude_bots: 1 },
  { exclude_ips: "192.0.2.0/24\n198.51.100.7" },
  { privacy: 1, exclude_ips: "192.0.2.0/24\n198.51.100.7", exclude_params: "utm_source\nref" },
  { privacy: null, email: null, exclude_bots: null, exclude_params: "" },
  { privacy: 1, exclude_ips: "2001:DB8::1\r\n203.0.113.9\r\n", exclude_params: "&\nq q\n" },
  { privacy: 0, password: "left-behind", exclude_params: 'quo"te\n`code`\\' },
];

/** Names that clash as identifiers, that reverse or break text, and a future type. */
const tags: readonly PixelSeed[] = [
  { name: "GA", type: "google-analytics", value: "G-1" },
  { name: "Quotes \" ' ` \\ $x", type: "bing", value: "B-'\"" },
  { name: "\u{1F600} \u202Eturned\u202C", type: "facebook", value: "1" },
  { name: "Twitter", type: "twitter", value: "o1" },
  { name: "Tomorrow", type: "tomorrow", value: "0123" },
  { name: "g.a. #: - !x\nbroken", type: "bing", value: "null" },
];

/** The websites of an old account; the first has a domain in its IDN form. */
export function websiteSeeds(count: number): WebsiteSeed[] {
  return Array.from({ length: count }, (_, at) => ({
    domain: at === 0 ? "xn--bcher-kva.example" : `site-${at}.example.com`,
    ...settings[at % settings.length],
  }));
}

/** Its pixels. */
export function pixelSeeds(count: number): PixelSeed[] {
  return Array.from({ length: count }, (_, at) => {
    const tag = tags[at % tags.length] ?? { name: "" };
    return { ...tag, name: at < tags.length ? tag.name : `${tag.name} ${at}` };
  });
}
