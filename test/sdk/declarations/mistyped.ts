/**
 * Mistakes, each of them one edit to `usual`: what it is, what stands there | what is typed instead | the place that is
 * named | a part of the sentence, which says what to write.
 */
const TABLE = String.raw`
a first argument one space too deep|    domain: shop.example.com|     domain: shop.example.com|7:5|does not match the lines above: indent it like them
an argument one space too deep|    privacy: password|     privacy: password|7:6|this line continues the text above
a name one space too deep|  blog:|   blog:|16:4|does not match the lines above: indent it like them
an entry one space too deep|      - utm_source|       - utm_source|13:9|a line that begins with a dash continues this text:
an entry one space too shallow|      - utm_source|     - utm_source|14:6|a second colon, or a dash, is not allowed here
no space after colon: middle|privacy: password\n|privacy:password\n|7:5|write a colon and a space after the name, as in "name:
no space after colon: before brace|password: {|password:{|8:5|write a colon and a space after
no space after colon in flow|{ name: GA|{ name:GA|21:9|write a colon and a space after
no space after name's colon|ga: {|ga:{|21:14|a second colon, or a dash, is not allowed here
no colon: argument|privacy: password\n|privacy password\n|7:5|write a colon and a space after the name
no colon: name|  shop:\n|  shop\n|5:3|write a colon and a space after the name
no colon in flow|name: GA|name GA|21:9|write a colon and a space after
equals sign|privacy: password\n|privacy = password\n|7:5|write a colon and a space after the name
missing end quote double|"blog.example.com"|"blog.example.com|17:13|the " here is not closed
missing begin quote double|"blog.example.com"|blog.example.com"|check|, not "blog.example.com\""
missing end quote last line|"42"|"42|25:12|the " here is not closed
missing end quote before another|domain: 'docs.example.com', privacy: public|domain: "docs.example.com, privacy: "public"|19:48|this is not allowed here: remove it, or put text that
missing ]|203.0.113.9]|203.0.113.9|11:17|the [ here is not closed
missing }|protect: false }|protect: false|15:14|the { here is not closed
missing {|ga: { name|ga: name|21:7|a second colon, or a dash, is not allowed here
extra }|protect: false }|protect: false }}|15:32|this is not allowed here: remove it, or put text that
missing comma in list|office, 203|office 203|11:18|not "office 203.0.113.9"
missing comma in flow map|GA, type|GA type|21:15|entries in [ ] and { } need commas between them: add a
no space after first dash|- ref|-ref|13:7|a line that begins with a dash continues this text:
text in place of a website|  docs: { domain: 'docs.example.com', privacy: public, adopt: true }|  docs: docs.example.com|19:9|websites.docs must be
quotes of a word processor|"blog.example.com"|“blog.example.com”|check|domain must be a host name such as "shop.example.com",
wildcard|domain: shop.|domain: *.shop.|6:13|no anchor
at sign|domain: shop.|domain: @shop.|6:13|text that begins with this character needs quotes
password missing|    password: { config: shopPassword }\n||check|password is needed for a website whose privacy is
option as argument|    options: { protect: false }|    protect: false|15:5|protect is an option: write it under "options"
argument as option|{ protect: false }|{ privacy: public }|15:16|options: unknown option "privacy"; options takes
dash before name|  blog:|  - blog:|16:3|a second colon, or a dash, is not allowed here
two colons|privacy: public|privacy:: public|19:39|write a colon and a space after
unescaped|"blog.example.com"|"blog\.example.com"|17:18|no such escape exists in double quotes; single quotes keep
apostrophe|'FB'|'F'B'|23:14|this is not allowed here: remove it, or put text that
no space after any dash|excludeIps: [office, 203.0.113.9]|excludeIps:\n      -192.0.2.1\n      -192.0.2.2|12:7|a list of IP addresses or CIDR ranges
names with &|excludeParams:\n      - ref\n      - utm_source|excludeParams: ref&utm_source|12:20|a list of URL query parameter names
a list in a list|excludeIps: [office, 203.0.113.9]|excludeIps: [[office], 203.0.113.9]|11:18|, not a list
a blank that is no space|, type:|,  type:|21:19|write a colon and a space after the name, and plain spaces before it
a section for anchors|lists:|settings: &usual { privacy: public }\nlists:|1:1|the file takes lists, defaults, websites, pixels, x-… for anchors
a comment of another language|  blog:|  // the blog\n  blog:|16:3|a comment begins with #
bang|domain: shop.example.com|domain: !shop.example.com|6:13|tags are not supported here
`;

export const mistyped = TABLE.trim()
  .split("\n")
  .map((row) => {
    const [what = "", from = "", to = "", place = "", says = ""] = row.replaceAll("\\n", "\n").split("|");
    return [what, { from, to, place, says }] as const;
  });
