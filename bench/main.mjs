import { runIfMain } from "../tools/run-if-main.mjs";

// npm run bench -- [--sizes 10,100,1000] [--rounds 5] [--growth] [--write]: measures the candidates in turns and prints a
// page, or writes it. With --growth, it measures instead what a record takes in our own code, without the engine.

await runIfMain(import.meta.url, async () => {
  // On a fresh clone, this module is loaded before packages are installed.
  const { bench } = await import("./bench.mjs");
  await bench();
});
