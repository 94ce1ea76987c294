import { commitTimes, type Fault, type FaultReply, type ReplyInstead, replyNames } from "../faults/fault";
import { marketDialectNames } from "../market/dialects";
import { dialectNames } from "../service/dialects";
import type { ListFaults, Settings } from "../service/state";
import { phases, type Wait } from "./log-entry";
import { count, flag, json, map, number, oneOf, record, type Shape, text, unlessOff } from "./shapes";

/** A change of settings: what is omitted stays, in `lists` too. */
export type SettingsChange = Partial<Omit<Settings, "lists">> & {
  /** How lists misbehave from now on. */
  lists?: Partial<ListFaults>;
};

const insteadShape: Shape<ReplyInstead> = record(
  {},
  { status: count, headers: map(text), body: json, raw: text },
);

const replyShape: Shape<FaultReply> = (value, place) =>
  typeof value === "object" ? insteadShape(value, place) : oneOf(...replyNames)(value, place);

export const faultShape: Shape<Fault> = record(
  { match: record({}, { method: text, path: text, field: map(text), nth: count, times: count }) },
  {
    commit: oneOf(...commitTimes),
    reply: replyShape,
    delay: number,
    lateMs: number,
    byteMs: number,
    status: count,
  },
);

export const waitShape: Shape<Wait> = record(
  {},
  {
    method: text,
    path: text,
    status: count,
    count,
    phase: oneOf(...phases),
    since: count,
    timeoutMs: number,
  },
);

export const settingsShape: Shape<SettingsChange> = record(
  {},
  {
    dialect: oneOf(...dialectNames),
    marketDialect: oneOf(...marketDialectNames),
    rateLimit: unlessOff(record({ requests: count, seconds: number }, {})),
    latency: number,
    lists: record(
      {},
      {
        lagMs: number,
        hold: flag,
        abridged: unlessOff(count),
        withoutPaging: flag,
        insertWhilePaging: count,
      },
    ),
    echoKey: flag,
  },
);
