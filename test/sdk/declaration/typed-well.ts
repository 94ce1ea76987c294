/** A file that is right. `mistyped-shape.ts` and `mistyped-words.ts` have mistakes, each of them one edit to it. */
export const typedWell = `lists:
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
  docs: { domain: 'docs.example.com', privacy: public }
pixels:
  ga: { name: GA, type: google-analytics, value: G-1 }
  fb:
    name: 'FB'
    type: facebook
    value: "42"
`;

/** What the mistake is, what is typed instead of which text, the line that is to be told, and the sentence. */
export type Mistyped = readonly [what: string, from: string, to: string, line: number, says: string];
