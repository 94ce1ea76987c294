import { join } from "node:path";
import { expect, test } from "vitest";
import { joinOutput, withoutTracebacks } from "../../../cli/pulumi/tracebacks";

const PACKAGES = "/opt/shop/venv/lib/python3.11/site-packages";
const OWN = join(process.cwd(), "__main__.py");

test("of an error in a Python program, its own line stays, with the exception, and no path of the machine", () => {
  const printed = [
    "error: Program failed with an unhandled exception:",
    "Traceback (most recent call last):",
    '  File "/opt/pulumi/pulumi-language-python-exec", line 232, in <module>',
    "    loop.run_until_complete(coro)",
    '  File "<frozen runpy>", line 304, in run_path',
    `  File "${OWN}", line 37, in <module>`,
    '    site("x")',
    `  File "${OWN}", line 35, in site`,
    "    return tracking.get_website(id=name)",
    "           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
    `  File "${PACKAGES}/pulumi/runtime/invoke.py", line 417, in do_rpc`,
    "    raise error",
    "Exception: getWebsite: the service has no website with id x",
    "  and a second line of it",
  ];
  expect(withoutTracebacks(printed.join("\n")).split("\n")).toEqual([
    "error: Program failed with an unhandled exception:",
    "__main__.py:35: return tracking.get_website(id=name)",
    "Exception: getWebsite: the service has no website with id x",
    "  and a second line of it",
  ]);
  const syntax = `Traceback (most recent call last):\n  File "/elsewhere/shared.py", line 4\n    x = = 1\n        ^\nSyntaxError: invalid syntax`;
  expect(withoutTracebacks(syntax)).toBe("shared.py:4: x = = 1\nSyntaxError: invalid syntax");
  const chain = `${syntax}\n\nDuring handling of the above exception, another exception occurred:\n\n${syntax}`;
  expect(withoutTracebacks(chain)).not.toContain("During");
  expect(withoutTracebacks("error: odd\n  File of no traceback")).toBe("error: odd\n  File of no traceback");
});

const line = (message: string) => ({ severity: "info#err", message: `${message}\n\n` });
const refused = { severity: "error", message: "error: type must be one of …" };
const stopped = [
  "Traceback (most recent call last):",
  `  File "${PACKAGES}/pulumi/runtime/rpc_manager.py", line 73, in rpc_wrapper`,
  "    result = await rpc",
  "pulumi.errors.RunError: Resource monitor has terminated, shutting down",
  "During handling of the above exception, another exception occurred:",
  "Traceback (most recent call last):",
  '  File "/usr/lib/python3.11/asyncio/runners.py", line 123, in run',
  "    raise KeyboardInterrupt()",
  '  File "src/python/grpcio/grpc/_cython/_cygrpc/channel.pyx.pxi", line 393, in grpc._cython.cygrpc.next_event',
  "KeyboardInterrupt",
].map(line);

test("what the SDK prints since Pulumi stops the program at a refusal is left out, and what the program prints stays in one message", () => {
  const printed = [line("first"), line("second")];
  const together = { severity: "info#err", message: "first\nsecond" };
  expect(joinOutput([...printed, refused, ...stopped])).toEqual([together, refused]);
  expect(joinOutput([refused, ...stopped])).toEqual([refused]);
  // Without a refusal, it is all that there is.
  expect(joinOutput(stopped)).toHaveLength(1);
  const own = [
    line("Traceback (most recent call last):"),
    line(`  File "${OWN}", line 1`),
    line("ValueError: a"),
  ];
  expect(joinOutput([refused, ...own])[1]?.message).toContain("ValueError: a");
  expect(joinOutput([refused])).toEqual([refused]);
});
