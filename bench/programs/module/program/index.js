const { Website } = require("module-provider");

const { BENCH_SIZE, BENCH_EMAIL } = process.env;

for (let at = 0; at < Number(BENCH_SIZE); at += 1) {
  new Website(`site-${at}`, {
    domain: `site-${at}.example.com`,
    privacy: "private",
    emailReports: BENCH_EMAIL === "1",
    excludeBots: true,
  });
}
