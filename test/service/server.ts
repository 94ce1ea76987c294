import { setMaxListeners } from "node:events";
import { type EmulatorOptions as Interface, listen, stateFor } from "../../emulator/server";
import { respond } from "../../emulator/service/router";
import { controlOf, type EmulatorClient } from "./control";
import { type Context, exchange } from "./exchange";
import { Faults } from "./faults";
import { RequestLog } from "./request-log";

/** How a service starts. All of it but the port can be changed later. */
export interface EmulatorOptions extends Interface {
  /** Domains of other tenants of the same installation. */
  otherTenant?: string[];
}

/** A running service, in this process. */
export interface Emulator {
  /** Base URL of all three interfaces. */
  url: string;
  /** Sees and controls it beside the interface. */
  control: EmulatorClient;
  /** Ends every connection, and resolves when the port is free again. */
  close(): Promise<void>;
}

/** Starts the service that users have, with faults and a log. */
export async function startEmulator({
  otherTenant = [],
  ...options
}: EmulatorOptions = {}): Promise<Emulator> {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every delayed request listens to it
  const context: Context = {
    state: stateFor(options),
    requestLog: new RequestLog(),
    faults: new Faults(),
    late: [],
    respond,
    echoesKey: false,
    closing: closing.signal,
  };
  context.state.otherTenant = new Set(otherTenant);
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
