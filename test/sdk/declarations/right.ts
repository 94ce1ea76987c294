/** A usual file. `mistyped.ts` has mistakes, each of them one edit to it. */
export const usual = `lists:
  office: [192.0.2.0/24, 198.51.100.7]
  home: [203.0.113.5]
websites:
  shop:
    domain: shop.example.com
    privacy: password
    password: { config: shopPassword }
    emailReports: true
    excludeBots: false
    excludeIps: [office, 203.0.113.9]
    excludeParams:
      - ref
      - utm_source
    options: { protect: false }
  blog:
    domain: "blog.example.com"
    excludeIps: home
  docs: { domain: 'docs.example.com', privacy: public, adopt: true }
pixels:
  ga: { name: GA, type: google-analytics, value: G-1 }
  fb:
    name: 'FB'
    type: facebook
    value: "42"
`;

/** Files that are taken, each with the values and secrets that they come to, by how the file names the resource. */
export const right: { says: string; text: string; comes: Record<string, object> }[] = [
  {
    says: "defaults of a section, which a declaration overrides one by one",
    text: `lists: { office: [192.0.2.1] }
defaults:
  websites: { privacy: public, excludeIps: office, excludeParams: [ref], password: { config: shared } }
  pixels: NULL
websites:
  a: { domain: a.b }
  b: { domain: b.b, privacy: private, excludeIps: [192.0.2.7], excludeParams: [], password: { config: own } }
`,
    comes: {
      "websites.a": {
        domain: "a.b",
        privacy: "public",
        excludeIps: ["192.0.2.1"],
        excludeParams: ["ref"],
        password: "config shared",
      },
      "websites.b": {
        domain: "b.b",
        privacy: "private",
        excludeIps: ["192.0.2.7"],
        excludeParams: [],
        password: "config own",
      },
    },
  },
  {
    says: "every argument",
    text: usual,
    comes: {
      "websites.shop": {
        domain: "shop.example.com",
        privacy: "password",
        password: "config shopPassword",
        emailReports: true,
        excludeBots: false,
        excludeIps: ["192.0.2.0/24", "198.51.100.7", "203.0.113.9"],
        excludeParams: ["ref", "utm_source"],
      },
      "websites.blog": { domain: "blog.example.com", excludeIps: ["203.0.113.5"] },
      "websites.docs": { domain: "docs.example.com", privacy: "public", adopt: true },
      "pixels.ga": { name: "GA", type: "google-analytics", value: "G-1" },
      "pixels.fb": { name: "FB", type: "facebook", value: "42" },
    },
  },
  {
    says: "lists by name, even one that is also a value, and each value once",
    text: "lists: { ref: [source, medium], more: [medium, ref2] }\nwebsites: { a: { domain: a.b, excludeParams: [ref, other, more] } }",
    comes: { "websites.a": { domain: "a.b", excludeParams: ["source", "medium", "other", "ref2"] } },
  },
  {
    says: "numbers as they are written",
    text: "pixels:\n  a: { name: 0123, type: bing, value: 1e5 }\n  7: { name: 1.50, type: bing, value: 12345678901234567890 }",
    comes: {
      "pixels.a": { name: "0123", type: "bing", value: "1e5" },
      "pixels.7": { name: "1.50", type: "bing", value: "12345678901234567890" },
    },
  },
  {
    says: "names that JavaScript has its own use for",
    text: "websites: { constructor: { domain: a.b }, toString: { domain: b.b } }",
    comes: { "websites.constructor": { domain: "a.b" }, "websites.toString": { domain: "b.b" } },
  },
  {
    says: "true and false as text, if no argument has such a value",
    text: "pixels: { a: { name: true, type: bing, value: FALSE } }",
    comes: { "pixels.a": { name: "true", type: "bing", value: "FALSE" } },
  },
  { says: "nothing, where that is said", text: "{}", comes: {} },
  { says: "sections with everything commented out", text: "lists:\r\nwebsites:\r\n#  a: b\r\n", comes: {} },
];
