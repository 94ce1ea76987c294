// The same program for every candidate; BENCH_PACKAGE names what its classes come from.
const { BENCH_PACKAGE, BENCH_SIZE, BENCH_EMAIL, BENCH_PIXELS = 0 } = process.env;
const { Website, Pixel } = require(BENCH_PACKAGE);

for (let at = 0; at < Number(BENCH_SIZE); at += 1) {
  const args = { domain: `site-${at}.example.com`, emailReports: BENCH_EMAIL === "1" };
  new Website(`site-${at}`, args, { protect: false });
}
for (let at = 0; at < Number(BENCH_PIXELS); at += 1)
  new Pixel(`pixel-${at}`, { name: `Pixel ${at}`, type: "google-analytics", value: `G-${at}` });
