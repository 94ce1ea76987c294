import { z } from "zod";
import { commitTimes, type Fault, replyNames } from "../faults/fault";
import { marketDialectNames } from "../market/dialects";
import { dialectNames } from "../service/dialects";
import type { ListFaults, Settings } from "../service/state";
import { phases, type Wait } from "./log-entry";
import { count, record } from "./shapes";

/** A change of settings: what is omitted stays, in `lists` too. */
export type SettingsChange = Partial<Omit<Settings, "lists">> & {
  /** How lists misbehave from now on. */
  lists?: Partial<ListFaults>;
};

const text = z.string();
const texts = z.record(text, text);
const number = z.number();
const flag = z.boolean();

const instead = record({}, { status: count, headers: texts, body: z.json(), raw: text });

export const faultShape: z.ZodType<Fault> = record(
  { match: record({}, { method: text, path: text, field: texts, nth: count, times: count }) },
  {
    commit: z.enum(commitTimes),
    reply: z.enum(replyNames).or(instead),
    delay: number,
    byteMs: number,
    status: count,
  },
);

export const waitShape: z.ZodType<Wait> = record(
  {},
  {
    method: text,
    path: text,
    status: count,
    count,
    phase: z.enum(phases),
    since: count,
    timeoutMs: number,
  },
);

export const settingsShape: z.ZodType<SettingsChange> = record(
  {},
  {
    dialect: z.enum(dialectNames),
    marketDialect: z.enum(marketDialectNames),
    rateLimit: z.literal(false).or(record({ requests: count, seconds: number }, {})),
    lists: record(
      {},
      {
        lagMs: number,
        hold: flag,
        abridged: z.literal(false).or(count),
        withoutPaging: flag,
        insertWhilePaging: count,
      },
    ),
    echoKey: flag,
  },
);
