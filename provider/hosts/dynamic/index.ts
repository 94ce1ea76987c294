/**
 * What the engine's process for dynamic resources loads. It is not for programs.
 *
 * @module pulumi-tracking/host
 */
import { setTimeout } from "node:timers/promises";
import type * as dynamic from "@pulumi/pulumi/dynamic";
import { RecordReader } from "../../api/record-reader";
import { registerSecret } from "../../api/redact";
import { endpoint, SettingError, type SettingProblem, type Source } from "../../config/endpoint";
import {
  Claims,
  type Context,
  check,
  create,
  diff,
  type Options,
  read,
  remove,
  type Say,
  update,
} from "../../lifecycle";
import { Notices } from "../../notices";
import { pixel, website } from "../../resources";
import type { Resource, Values } from "../../schema/resource";
import { collectionOf } from "../../schema/wire";
import { suggest } from "../../suggest";
import { addressOf, isDestroy, ownershipOf } from "../engine";
import { apiOf } from "./environment-keys";
import { HeldRecords } from "./held-records";
import { log } from "./log";
import { marshal, unmarshal } from "./marshal";
import { RefusedLines } from "./rejections";
import { notFound, PROVIDER, readResult, withCleanErrors } from "./results";

/**
 * What a program's class tells `check` alone, and what never reaches state: options of the resource that the engine
 * keeps to itself, and that it is the resource `at` out of so many that were declared so far.
 */
const OPTIONS = "__options";
interface ProgramHints extends Partial<Options> {
  readonly at?: number;
  readonly of?: number;
}
/** What a file of declarations tells `check` alone: its own lines for what may be refused. */
const FILE_LINES = "__fileLines";
/** The engine writes its state before each step, and so asks for one record after the other; in milliseconds. */
const BATCH_WINDOW_MS = 100;
const notices = new Notices(log.warn);
const checked = new Set<number>();
const refused = new RefusedLines();
const ownership = ownershipOf(addressOf(), log.warn);

/** One resource's provider, as the process that serves dynamic resources calls it. */
function host(resource: Resource): Required<dynamic.ResourceProvider> {
  let source: Source = { get: () => undefined };
  let known: Context | undefined;
  const held = new HeldRecords(resource);

  // Made at the first call that needs it: `configure` must neither wait nor throw.
  const world = (): Context => {
    if (known === undefined) {
      const place = endpoint(resource.service, source);
      const api = apiOf(place, source, held);
      const records = new RecordReader(api, collectionOf(resource), BATCH_WINDOW_MS);
      known = {
        api,
        records,
        claims: new Claims(ownership, resource, place, isDestroy),
        warn: (subject, text) => log.warn(`${subject}: ${text}`),
        sleep: (milliseconds) => setTimeout(milliseconds),
        clock: () => performance.now(),
      };
    }
    return known;
  };

  return {
    configure: async (request) => {
      source = { get: (key) => request.config.get(`tracking:${key}`) };
    },

    check: (olds, news) =>
      withCleanErrors(resource, async () => {
        const {
          at = 0,
          of = 0,
          retained = false,
          protect = false,
          deleteBeforeReplace = false,
          name,
          token,
        }: ProgramHints = news[OPTIONS] ?? {};
        const problems = settingProblems(world);
        const { values, failures } = await check(
          resource,
          { say, context: world, claims: problems.length === 0 ? world().claims : undefined, hint: suggest },
          {
            olds: fromEngine(olds),
            news: fromEngine(news),
            options: { retained, protect, deleteBeforeReplace, name, token },
          },
        );
        // The engine checks one resource at a time, and ends this process without a word after the last one.
        if (checked.add(at).size >= of) notices.flush();
        else notices.expect();
        // A file of declarations has its own line for a wrong argument.
        const reasons = refused.reasonsFor(failures.length > 0 ? failures : problems, news[FILE_LINES]);
        return {
          inputs: { ...marshal(resource, values), [PROVIDER]: news[PROVIDER] },
          // With a property's name the engine would print its value, a secret's too.
          failures: reasons.map((reason) => ({ property: "", reason })),
        };
      }),

    diff: (id, olds, news) =>
      withCleanErrors(resource, async () => {
        const found = diff(resource, fromEngine(olds), fromEngine(news));
        if (settingProblems(world).length > 0) return found;
        const replaced = found.replaces.length > 0;
        const isLost = world().claims.compared(id, fromEngine(news), replaced) === "leaving" && !replaced;
        return isLost ? { ...found, replaces: [resource.key] } : found;
      }),

    create: (inputs) =>
      withCleanErrors(
        resource,
        async () => {
          const { id, state } = await create(resource, world(), fromEngine(inputs));
          return { id, outs: marshal(resource, state) };
        },
        inputs,
      ),

    read: (id, props) =>
      withCleanErrors(resource, async () => {
        const state = fromEngine(props ?? {});
        held.add(id, state);
        const kept = await read(resource, world(), id, state);
        return kept === undefined ? notFound(resource, id, state) : readResult(resource, kept, props);
      }),

    update: (id, olds, news) =>
      withCleanErrors(
        resource,
        async () => {
          const state = fromEngine(olds);
          held.add(id, state);
          return { outs: marshal(resource, await update(resource, world(), id, state, fromEngine(news))) };
        },
        news,
      ),

    delete: (id, props) =>
      withCleanErrors(resource, () => {
        const state = fromEngine(props);
        held.add(id, state);
        return remove(resource, world(), id, state);
      }),
  };

  /** The engine's bag as values, with what is secret kept from then on. */
  function fromEngine(bag: Record<string, unknown>): Values {
    const values = unmarshal(bag);
    for (const [name, field] of Object.entries(resource.inputs))
      if (field.secret && typeof values[name] === "string") registerSecret(values[name]);
    return values;
  }
}

const say: Say = (subject, tell) => notices.add(() => ({ subject, ...tell() }));

/** A missing or wrong setting shows at preview. */
function settingProblems(world: () => Context): readonly SettingProblem[] {
  try {
    world();
    return [];
  } catch (error) {
    if (error instanceof SettingError) return error.problems;
    throw error;
  }
}

/** What the constant text in every website's state asks for; the name can never change. */
export const Website = host(website);
/** What the constant text in every pixel's state asks for; the name can never change. */
export const Pixel = host(pixel);
