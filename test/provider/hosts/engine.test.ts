import { expect, test } from "vitest";
import { addressOf, isDestroy, ownershipOf } from "../../../provider/hosts/engine";

test("the engine's address is the last of the arguments that is one", () => {
  expect(addressOf(["--logtostderr", "-v=9", "127.0.0.1:4711"])).toBe("127.0.0.1:4711");
  expect(addressOf(["[::1]:4711"])).toBe("[::1]:4711");
  expect([addressOf([]), addressOf(["run"])]).toEqual([undefined, undefined]);
});

test("without an engine each process knows what it does itself, and nothing is said", () => {
  const said: string[] = [];
  const [one, two] = [0, 1].map(() => ownershipOf(undefined, (text) => said.push(text)));
  one?.tell({ is: "creating", key: "a" });
  expect([one?.creator("a"), two?.creator("a")]).toEqual(["this", undefined]);
  expect(said).toEqual([]);
});

test("where no engine is found above a process, it may destroy", () => expect(isDestroy()).toBe(true));
