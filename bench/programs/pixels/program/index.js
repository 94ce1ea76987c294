const tracking = require("pulumi-tracking");

for (let at = 0; at < Number(process.env.BENCH_SIZE); at += 1)
  new tracking.Pixel(`pixel-${at}`, { name: `Pixel ${at}`, type: "google-analytics", value: `G-${at}` });
