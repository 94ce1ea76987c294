import { EventEmitter, setMaxListeners } from "node:events";
import { type EmulatorOptions, type Listener, listen, stateFor } from "../../emulator/server";
import { respond } from "../../emulator/service/router";
import { controlOf, type EmulatorClient } from "./control";
import { type Context, exchange } from "./exchange";
import { Faults } from "./faults";
import { noLimit } from "./limiters";

/** A running service, in this process. */
export interface Emulator extends Listener {
  /** Sees and controls it beside the interface. */
  control: EmulatorClient;
}

/** Starts the service that users have, with faults and a log. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every delayed request listens to it
  const context: Context = {
    state: stateFor(options),
    log: [],
    news: new EventEmitter(),
    faults: new Faults(),
    late: [],
    respond,
    limiter: noLimit,
    takes: 0,
    closing: closing.signal,
  };
  const { url, close } = await listen(options.port, (message, response) =>
    exchange(context, message, response),
  );
  return {
    url,
    control: controlOf(context, url),
    close: () => {
      closing.abort();
      return close();
    },
  };
}
