/**
 * Mistakes, each of them one edit to `usual`: what it is, what stands there | what is typed instead | the place that is
 * named | a part of the sentence, which says what to write.
 */
const TABLE = String.raw`
a first argument one space too deep|    domain: shop.example.com|     domain: shop.example.com|7:1|All mapping items must start at the same column
an argument one space too deep|    privacy: password|     privacy: password|6:13|indent each line like those beside it
an entry one space too deep|      - utm_source|       - utm_source|13:9|a line that begins with a dash continues this text:
no space after colon|privacy: password\n|privacy:password\n|7:5|write a colon and a space after the name, as in "name:
no space after colon: before brace|password: {|password:{|8:5|write a colon and a space after password
a blank that is no space|, type:|,  type:|21:19|write a colon and a space after the name, and plain spaces before it
missing end quote|"blog.example.com"|"blog.example.com|17:30|Missing closing "quote
missing ]|203.0.113.9]|203.0.113.9|12:5|must be sufficiently indented and end with a ]
extra }|protect: false }|protect: false }}|15:32|remove it, or put text that contains it in quotes
missing comma in list|office, 203|office 203|11:18|not "office 203.0.113.9"
text in place of a website|  docs: { domain: 'docs.example.com', privacy: public, adopt: true }|  docs: docs.example.com|19:9|websites.docs must be
quotes of a word processor|"blog.example.com"|“blog.example.com”|check|domain must be a host name such as "shop.example.com",
an alias|domain: shop.|domain: *shop.|6:13|text that begins with * into quotes
password missing|    password: { config: shopPassword }\n||check|password is needed for a website whose privacy is
argument as option|{ protect: false }|{ privacy: public }|15:16|options: unknown option "privacy"; options takes
names with &|excludeParams:\n      - ref\n      - utm_source|excludeParams: ref&utm_source|12:20|a list of URL query parameter names
a list in a list|excludeIps: [office, 203.0.113.9]|excludeIps: [[office], 203.0.113.9]|11:18|, not a list
`;

export const mistyped = TABLE.trim()
  .split("\n")
  .map((row) => {
    const [what = "", from = "", to = "", place = "", says = ""] = row.replaceAll("\\n", "\n").split("|");
    return [what, { from, to, place, says }] as const;
  });
