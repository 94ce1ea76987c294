import type { Api, Request, Response } from "../../../provider/api/api";
import type { Clock } from "./clock";
import { unclear } from "./process";
import type { Act, Command } from "./program";
import type { Deed, Service } from "./service";

/** What may happen to the requests of a run. */
export type Happening = "faults" | "acts" | "crash" | "slow";

/** Longer than anybody waits for what does not come, in milliseconds. */
const SLOW = 9000;

/** A process is at most so many milliseconds behind the others. */
const BEHIND = 400;

/** Whether nobody of this stack has the record with this id. */
export type IsFree = (service: Service, id: number) => boolean;

/** The requests of all processes of a run on their way, and all that may happen to one there. */
export class Network {
  /** What was made, and nobody heard of it. */
  readonly lost: Deed[] = [];
  /** What was done for a process that was killed before it heard of it. */
  readonly unheard: Deed[] = [];
  /** Ids that were asked for one by one and found. */
  readonly seen = new Set<string>();
  private readonly counts = new Map<string, number>();
  private readonly delays = new Map<number, number>();
  private readonly ends = new Map<number, () => void>();
  /** Resolves when the engine is killed. */
  readonly killed: Promise<void>;
  private kill = () => {};

  constructor(
    private readonly clock: Clock,
    private readonly command: Pick<Command, Happening>,
    private readonly random: () => number,
    private readonly isFree: IsFree,
  ) {
    this.killed = new Promise((resolve) => {
      this.kill = resolve;
    });
  }

  /** Resolves when the process of a provider is killed. */
  died(provider: number): Promise<void> {
    return new Promise((resolve) => this.ends.set(provider, resolve));
  }

  /** How far a provider's process is behind: it acts so many milliseconds after it has heard of something. */
  behind(provider: number): number {
    const known = this.delays.get(provider);
    if (known !== undefined) return known;
    const delay = this.random() < 0.5 ? 0 : Math.floor(this.random() * BEHIND);
    this.delays.set(provider, delay);
    return delay;
  }

  /** What a provider's process speaks to. */
  api(service: Service, provider: number): Api {
    return async (request) => {
      const isSlow = request.method === "GET" && this.is("question", this.command.slow);
      await this.clock.wait(isSlow ? SLOW : this.pause());
      const answer = await this.pass(service, provider, request);
      await this.clock.wait(this.pause() + this.behind(provider));
      return answer;
    };
  }

  /** Mostly short, so that much happens meanwhile; sometimes very long. */
  pause(): number {
    const [is, much] = [this.random(), this.random()];
    if (is < 0.7) return Math.floor(much * 40);
    return Math.floor(much * (is < 0.97 ? 400 : 6000));
  }

  private async pass(service: Service, provider: number, request: Request): Promise<Response> {
    const { method, path } = request;
    const changes = method !== "GET";
    const crash = changes && this.is("crash", this.command.crash?.nth) ? this.command.crash : undefined;
    const nth = this.count(method);
    const fault = this.command.faults.find((each) => each.method === method && each.nth === nth);
    if (method === "POST") this.act("post", service);
    if (crash?.done === false) return this.end(crash.who, provider);
    if (fault?.is === "never came") throw unclear(request);
    const known = service.deeds.length;
    const answer = service.answer(request, provider);
    if (crash !== undefined) {
      this.unheard.push(...service.deeds.slice(known));
      return this.end(crash.who, provider);
    }
    if (fault !== undefined) {
      if (method === "POST") this.lost.push(...service.deeds.slice(known));
      throw unclear(request);
    }
    if (method === "GET" && request.fixed === true) this.act("list", service);
    else if (method === "GET") this.seen.add(`${service.place} ${path.split("/").at(-1)}`);
    return answer;
  }

  private act(after: Act["after"], service: Service): void {
    const nth = this.count(after);
    for (const { key, does } of this.command.acts.filter((act) => act.after === after && act.nth === nth)) {
      const there = service.rows.filter((row) => row.key === key);
      if (does === "plant" && there.length === 0) service.plant(key);
      if (does === "drop") for (const { id } of there) if (this.isFree(service, id)) service.drop(id);
    }
  }

  /** Nobody hears of this request again. */
  private end(who: "engine" | "provider", provider: number): Promise<never> {
    if (who === "engine") this.kill();
    else this.ends.get(provider)?.();
    return new Promise(() => {});
  }

  private count(what: string): number {
    const nth = this.counts.get(what) ?? 0;
    this.counts.set(what, nth + 1);
    return nth;
  }

  private is(what: string, nth: number | undefined): boolean {
    return this.count(what) === nth;
  }
}
