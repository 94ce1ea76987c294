/**
 * What the engine's process for dynamic resources loads. It is not for programs.
 *
 * @module pulumi-tracking/host
 */
import { setTimeout } from "node:timers/promises";
import type * as dynamic from "@pulumi/pulumi/dynamic";
import { connect } from "../api/connect";
import { RecordReader } from "../api/record-reader";
import { clean, keepSecret } from "../api/redact";
import { endpoint, SettingError, type Source } from "../config";
import {
  check,
  create,
  diff,
  HalfDone,
  type Kept,
  read,
  remove,
  Standing,
  update,
  type World,
} from "../lifecycle";
import { Notices } from "../notices";
import { pixel, website } from "../resources";
import { noun, type Resource, type Values } from "../schema/resource";
import { collectionOf } from "../schema/wire";
import { inward, outward } from "./bag";
import { RefusedLines } from "./refusals";
import { voice } from "./voice";

/** The constant text that brought us here; it is in every bag and has to be in every bag that we give back. */
const PROVIDER = "__provider";
/**
 * What a program's class tells `check` alone, and what never reaches state: that the record stays when the
 * resource goes, and that it is the resource `at` out of so many that were declared so far.
 */
const OPTIONS = "__options";
interface Told {
  readonly retained?: boolean;
  readonly at?: number;
  readonly of?: number;
}
/** The engine writes its state before each step, and so asks for one record after the other; in milliseconds. */
const BETWEEN_STEPS = 100;
const notices = new Notices(voice.say);
const checked = new Set<number>();
const refused = new RefusedLines();

/** One resource's provider, as the process that serves dynamic resources calls it. */
function host(resource: Resource): Required<dynamic.ResourceProvider> {
  let source: Source = { get: () => undefined };
  let known: World | undefined;
  const standing = new Standing(resource);

  // Made at the first call that needs it: `configure` must neither wait nor throw.
  const world = (): World => {
    if (known === undefined) {
      const api = connect(endpoint(resource.service, source), voice);
      const records = new RecordReader(api, collectionOf(resource), BETWEEN_STEPS);
      known = {
        api,
        records,
        claims: new Set(),
        standing,
        say: (subject, text) => voice.say(`${subject}: ${text}`),
        rest: (milliseconds) => setTimeout(milliseconds),
      };
    }
    return known;
  };

  return {
    configure: async (request) => {
      source = { get: (key) => request.config.get(`tracking:${key}`) };
    },

    check: (olds, news) =>
      plainly(resource, async () => {
        const told: Told = news[OPTIONS] ?? {};
        const options = { retained: told.retained === true };
        const { values, failures } = await check(
          resource,
          { say, world },
          { olds: own(olds), news: own(news), options },
        );
        standing.declare(own(olds), values);
        // The engine checks one resource at a time, and ends this process without a word after the last one.
        if (checked.add(told.at ?? 0).size >= (told.of ?? 0)) notices.flush();
        else notices.expect();
        const sentences = failures.length > 0 ? failures : settingProblem(world);
        // A file of declarations has sentences of its own for these, with the line and column.
        const reasons = refused.reasonsFor(sentences, news.__refusals);
        return {
          inputs: { ...outward(resource, values), [PROVIDER]: news[PROVIDER] },
          // With a property's name the engine would print its value, a secret's too.
          failures: reasons.map((reason) => ({ property: "", reason })),
        };
      }),

    diff: (id, olds, news) =>
      plainly(resource, async () => {
        const found = diff(resource, own(olds), own(news));
        if (found.replaces.length === 0) standing.hold(id, own(news));
        return found;
      }),

    create: (inputs) =>
      plainly(
        resource,
        async () => {
          const { id, state } = await create(resource, world(), own(inputs));
          return { id, outs: outward(resource, state) };
        },
        inputs,
      ),

    read: (id, props) =>
      plainly(resource, async () => {
        const state = own(props ?? {});
        const kept = await read(resource, world(), id, state);
        return kept === undefined ? gone(resource, id, state) : readResult(resource, kept, props);
      }),

    update: (id, olds, news) =>
      plainly(
        resource,
        async () => ({ outs: outward(resource, await update(resource, world(), id, own(olds), own(news))) }),
        news,
      ),

    delete: (id, props) => plainly(resource, () => remove(resource, world(), id, own(props))),
  };

  /** The engine's bag as values, with what is secret kept from then on. */
  function own(bag: Record<string, unknown>): Values {
    const values = inward(bag);
    for (const [name, field] of Object.entries(resource.inputs))
      if (field.secret && typeof values[name] === "string") keepSecret(values[name]);
    return values;
  }
}

const say: World["say"] = (subject, text, alike = text) => notices.add({ subject, text, alike });

/** A missing or wrong setting shows at preview. */
function settingProblem(world: () => World): string[] {
  try {
    world();
    return [];
  } catch (error) {
    if (error instanceof SettingError) return error.problems.map(({ text }) => text);
    throw error;
  }
}

/** The engine takes an empty answer for "gone", and so does `get` without a word: there it has to be an error. */
function gone(resource: Resource, id: string, state: Values): dynamic.ReadResult {
  if (state[resource.key] !== undefined) return {};
  throw new Error(`there is no ${noun(resource)} with id ${id} on the service`);
}

function readResult(
  resource: Resource,
  { id, state }: Kept,
  props: Record<string, unknown> | undefined,
): dynamic.ReadResult {
  const bag = { ...outward(resource, state), [PROVIDER]: props?.[PROVIDER] };
  return { id, props: bag, inputs: { ...bag } };
}

/** Runs one call; an error leaves as one clean sentence, once, and without our stack. */
async function plainly<T>(
  resource: Resource,
  call: () => Promise<T>,
  bag?: Record<string, unknown>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const message = clean(error instanceof Error ? error.message : String(error));
    const plain = Object.assign(new Error(message), { stack: "", toString: () => "" });
    if (!(error instanceof HalfDone)) throw plain;
    // The engine keeps the id, prints the reasons, and calls update the next time.
    const properties = { ...outward(resource, error.state), [PROVIDER]: bag?.[PROVIDER] };
    throw Object.assign(plain, { id: error.id, properties, reasons: [message] });
  }
}

/** What the constant text in every website's state asks for; the name can never change. */
export const Website = host(website);
/** What the constant text in every pixel's state asks for; the name can never change. */
export const Pixel = host(pixel);
