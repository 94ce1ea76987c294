import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { linesOf, type Notice, Notices } from "../../provider/notices";

const notice = (at: number, alike = "it changes"): Notice => ({
  subject: `website ${at}`,
  text: `its ${alike}`,
  alike,
});
const many = (count: number, alike?: string) => Array.from({ length: count }, (_, at) => notice(at, alike));

describe("the lines of notices", () => {
  test("are none for none", () => expect(linesOf([])).toEqual([]));
  test("are one each, with what it is about", () => {
    expect(linesOf(many(2))).toEqual(["website 0: its it changes", "website 1: its it changes"]);
    expect(linesOf(many(10))).toHaveLength(10);
  });
  test("are one for more than ten alike, counted and with the first few", () => {
    const [line, ...others] = linesOf(many(11));
    expect(others).toEqual([]);
    expect(line).toMatch(/^11 .*it changes.*website 0, website 1, website 2/);
    expect(line).not.toContain("website 3");
  });
  test("count each sort on its own", () => {
    const lines = linesOf([...many(11, "one"), ...many(3, "two"), ...many(20, "three")]);
    expect(lines).toHaveLength(5);
    expect(lines.filter((line) => line.includes("two"))).toHaveLength(3);
  });
  test("say the same about the same only once", () => {
    expect(linesOf([notice(1), notice(1), notice(2)])).toHaveLength(2);
  });
});

describe("notices", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const heard = () => {
    const lines: string[] = [];
    return { lines, notices: new Notices((line) => lines.push(line)) };
  };

  test("that are known not to be the last wait longer for the others", () => {
    const { lines, notices } = heard();
    notices.expect();
    notices.add(() => notice(1));
    notices.expect();
    vi.advanceTimersByTime(2000);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(lines).toHaveLength(1);
  });

  test("are printed after a moment without a further one", () => {
    const { lines, notices } = heard();
    for (let at = 0; at < 5; at += 1) {
      notices.add(() => notice(at));
      vi.advanceTimersByTime(150);
    }
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(lines).toHaveLength(5);
  });
  test("are printed at once where no more will come, and not again", () => {
    const { lines, notices } = heard();
    notices.add(() => notice(1));
    notices.flush();
    expect(lines).toHaveLength(1);
    vi.runAllTimers();
    notices.flush();
    expect(lines).toHaveLength(1);
  });
});
