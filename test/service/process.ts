import { startEmulator } from "./server";

/** What a parent asks of a service in a process of its own: a method of its control, and the arguments. */
export interface Question {
  readonly method: "configure" | "addFault" | "clearFaults" | "clearRequests" | "websites" | "requests";
  readonly args: readonly unknown[];
}

/** Starts a service; its parent gets the address, then an answer to each message, until it disconnects. */
async function serve(apiKey = ""): Promise<void> {
  process.once("disconnect", () => process.exit());
  const { url, control } = await startEmulator({ apiKey });
  process.on("message", ({ method, args }: Question) => {
    const call = control[method] as (...args: readonly unknown[]) => unknown;
    process.send?.({ result: call(...args) });
  });
  process.send?.({ result: url });
}

void serve(process.argv[2]);
