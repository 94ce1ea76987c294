import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { EmulatorClient } from "../../emulator";

/** Unusual behaviour of a service that the interface allows. */
export interface Oddities {
  /** Records per page, regardless of the request; without it, as many as requested. */
  readonly size: 15 | undefined;
  readonly page: "ignored" | "from 0" | "from 1";
  /** The metadata of a list. */
  readonly says: "nothing" | "next_cursor" | "last_page 1" | "total of the page";
  /** What a PUT does to fields that it does not contain. */
  readonly put: "keeps" | "clears" | "needs all";
  /** How often each record is not found by its id, although the list shows it. */
  readonly denials: number;
  /** After an upgrade of the service, record 7 has the id `web_7`, and no other. */
  readonly upgraded: boolean;
  /** Times are written in the server's own zone, without naming it. */
  readonly zoneless: boolean;
  /** Another client creates each record a moment before this one, which is then answered with 500. */
  readonly overtaken: boolean;
}

const PLAIN: Oddities = {
  size: undefined,
  page: "from 1",
  says: "nothing",
  put: "keeps",
  denials: 0,
  upgraded: false,
  zoneless: false,
  overtaken: false,
};

/** The fields that a PUT of a website requires, or sets to 0. */
const FLAGS = ["privacy", "email", "exclude_bots"];
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  websites: FLAGS,
  pixels: ["name", "type", "value"],
};

/** An unusual service: a proxy in front of an emulator, which stores the records. */
export class OddService {
  /** Keys of records that were sent to be created a second time. */
  readonly seconds: string[] = [];
  private readonly denied = new Map<string, number>();
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch(() => response.destroy());
  });
  private oddities = PLAIN;

  constructor(private readonly control: EmulatorClient) {}

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Starts a case. */
  become(oddities: Partial<Oddities>): void {
    this.oddities = { ...PLAIN, ...oddities };
    this.denied.clear();
    this.seconds.length = 0;
  }

  /** From now on, every record is found by its id again. */
  calm(): void {
    this.oddities = { ...this.oddities, denials: 0 };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? "", this.control.url);
    const [kind = "", id] = pathname.split("/").slice(3);
    if (this.oddities.upgraded && id !== undefined && !id.startsWith("web_"))
      return answer(response, 404, { message: "Resource not found." });
    request.url = request.url?.replace("/web_", "/");
    const pass = (form = body) => this.pass(request, response, form);
    if (request.method === "POST") await this.count(kind, new URLSearchParams(body));
    if (request.method === "POST" && this.oddities.overtaken) {
      await this.ask(request, request.url ?? "", body);
      return answer(response, 500, { message: "Server Error" });
    }
    if (request.method === "PUT") return this.put(kind, new URLSearchParams(body), pass, response);
    if (request.method !== "GET") return pass();
    if (id === undefined) return this.list(request, response, searchParams);
    const denied = this.denied.get(pathname) ?? 0;
    if (denied >= this.oddities.denials) return pass();
    this.denied.set(pathname, denied + 1);
    answer(response, 404, { message: "Resource not found." });
  }

  /** The emulator would reject a second record, unlike many services. */
  private async count(kind: string, form: URLSearchParams): Promise<void> {
    const keys =
      kind === "pixels"
        ? (await this.control.pixels()).map(({ name }) => name)
        : (await this.control.websites()).map(({ domain }) => domain);
    const key = form.get("domain") ?? form.get("name") ?? "";
    if (keys.includes(key)) this.seconds.push(key);
  }

  private put(
    kind: string,
    form: URLSearchParams,
    pass: (form?: string) => Promise<void>,
    response: ServerResponse,
  ): Promise<void> | void {
    const missing = (NEEDED[kind] ?? []).filter((name) => !form.has(name));
    if (this.oddities.put === "needs all" && missing.length > 0)
      return answer(response, 422, {
        message: Object.fromEntries(missing.map((name) => [name, ["required"]])),
      });
    if (this.oddities.put === "clears")
      for (const name of missing) if (FLAGS.includes(name)) form.set(name, "0");
    return pass(form.toString());
  }

  private async list(
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ): Promise<void> {
    const { size = Number(query.get("per_page") ?? 10), page, says } = this.oddities;
    const asked = Number(query.get("page") ?? (page === "from 0" ? 0 : 1));
    const at = { ignored: 0, "from 0": asked, "from 1": asked - 1 }[page];
    const records: unknown[] = [];
    query.set("per_page", "100");
    for (let number = 1, more = true; more; number += 1) {
      query.set("page", `${number}`);
      const part = await this.ask(request, `${request.url?.split("?")[0]}?${query}`);
      if (part.status !== 200 || !part.type.includes("json")) return raw(response, part);
      const { data } = JSON.parse(part.content) as { data: unknown[] };
      records.push(...data);
      more = data.length === 100;
    }
    const data = records.slice(at * size, (at + 1) * size).map((each) => this.asWritten(each as object));
    const more = {
      nothing: {},
      next_cursor: { next_cursor: "b2Rk" },
      "last_page 1": { meta: { last_page: 1 } },
      "total of the page": { meta: { total: data.length } },
    };
    answer(response, 200, { data, ...more[says] });
  }

  private async pass(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const given = await this.ask(request, request.url ?? "", body);
    if (!(this.oddities.upgraded || this.oddities.zoneless) || !given.type.includes("json"))
      return raw(response, given);
    const { data, ...rest } = JSON.parse(given.content) as { data?: object };
    raw(response, { ...given, content: JSON.stringify({ ...rest, data: data && this.asWritten(data) }) });
  }

  private asWritten(record: { id?: unknown; created_at?: unknown }): object {
    const { upgraded, zoneless } = this.oddities;
    return {
      ...record,
      ...(upgraded && { id: `web_${record.id}` }),
      ...(zoneless && { created_at: String(record.created_at).replace("Z", "") }),
    };
  }

  private async ask(
    { method = "GET", headers }: IncomingMessage,
    path: string,
    body?: string,
  ): Promise<Given> {
    const { authorization = "", accept = "", "content-type": type = "" } = headers;
    const given = await fetch(`${this.control.url}${path}`, {
      method,
      redirect: "manual",
      headers: { authorization, accept, ...(body && { "content-type": type }) },
      ...(body && { body }),
    });
    return {
      status: given.status,
      type: given.headers.get("content-type") ?? "",
      date: given.headers.get("date") ?? "",
      content: await given.text(),
    };
  }
}

interface Given {
  readonly status: number;
  readonly type: string;
  readonly date: string;
  readonly content: string;
}

function raw(response: ServerResponse, { status, type, date, content }: Given): void {
  response.writeHead(status, { "content-type": type, date }).end(content);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
