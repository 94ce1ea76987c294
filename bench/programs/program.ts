// The program of every candidate, as users write it. Each imports its own package here.
import { Website } from "pulumi-tracking";

const { BENCH_SIZE, BENCH_EMAIL } = process.env;

for (let at = 0; at < Number(BENCH_SIZE); at += 1) {
  const args = { domain: `site-${at}.example.com`, emailReports: BENCH_EMAIL === "1" };
  new Website(`site-${at}`, args, { protect: false });
}
