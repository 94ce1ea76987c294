const tracking = require("pulumi-tracking/native");

const { BENCH_SIZE, BENCH_EMAIL } = process.env;

for (let at = 0; at < Number(BENCH_SIZE); at += 1) {
  const args = { domain: `site-${at}.example.com`, emailReports: BENCH_EMAIL === "1" };
  new tracking.Website(`site-${at}`, args, { protect: false });
}
