import { onTestFinished, vi } from "vitest";
import { service } from "../service";
import type { Row, Scene } from "./fault";
import { type Declared, Stack } from "./stack";

export type Kind = Declared["type"];

const first: Record<Kind, Declared> = {
  Website: { type: "Website", name: "one", args: { domain: "shop.example.com" } },
  Pixel: { type: "Pixel", name: "one", args: { name: "GA", type: "google-analytics", value: "G-1" } },
};

/** The same with a changed argument. */
export function changed(declared: Declared): Declared {
  const args = declared.type === "Website" ? { excludeBots: false } : { value: "G-2" };
  return { ...declared, args: { ...declared.args, ...args } };
}

export function adopting(declared: Declared): Declared {
  return { ...declared, args: { ...declared.args, adopt: true } };
}

/** A service, and a stack that manages one record on it. */
export async function scene(
  type: Kind,
  { settings = {}, args = {} }: Pick<Row, "settings" | "args"> = {},
): Promise<Scene> {
  // Only real servers need waits between attempts.
  const random = vi.spyOn(Math, "random").mockReturnValue(0.01);
  onTestFinished(() => void random.mockRestore());
  const { control, settings: own } = await service();
  const declared = { ...first[type], args: { ...first[type].args, ...args } };
  const path = type === "Website" ? "/api/v1/websites" : "/api/v1/pixels";
  const stack = new Stack({ ...own, ...settings });
  return {
    control,
    stack,
    type,
    path,
    declared,
    strike: (method, fault = {}, match = {}) => {
      const to = method === "POST" ? path : `${path}/*`;
      control.addFault({ match: { method, path: to, ...match }, ...fault });
    },
    insert: () =>
      type === "Website"
        ? control.insertWebsite({ domain: "shop.example.com", privacy: 1, email: 0, exclude_bots: 1 })
        : control.insertPixel({ name: "GA", type: "google-analytics", value: "G-1" }),
  };
}

/** The service's records of the scene's kind. */
export function stored({ control, type }: Scene): { id: number }[] {
  return type === "Website" ? control.websites() : control.pixels();
}
