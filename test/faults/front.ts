import { createServer } from "node:http";
import { forwarded, listening, send } from "../listening";

/** A proxy that can delay answers, so that they are outdated when they arrive. */
export interface Front {
  readonly url: string;
  /** Resolves when the service has sent the first delayed answer. */
  readonly held: Promise<void>;
  /** Releases all answers. */
  release(): void;
}

/** Forwards everything to the service, and holds answers to reads until they are released. */
export async function frontOf(service: string): Promise<Front> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let tell = () => {};
  const held = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = createServer(async (asked, answer) => {
    const given = await forwarded(asked, `${service}${asked.url}`);
    if (asked.method === "GET") {
      tell();
      await released;
    }
    send(given, answer);
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  return { url, held, release };
}
