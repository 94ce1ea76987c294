import type { Input, Output } from "@pulumi/pulumi";
import { beforeEach, expect, expectTypeOf, test } from "vitest";
import type { AnyArgs, ArgsOf, OutputsOf, RecordOf } from "../../sdk/derived";
import type { lookout } from "../provider/made-up";

type Fields = typeof lookout.inputs;
type Plain<T> = { [K in keyof T]: T[K] };
type Door = "open" | "shut";

// The compiler asserts these, in npm run check.
beforeEach(() => expect.setState({ assertionCalls: 1 }));

test("arguments are required as their fields are, and a list may contain outputs", () => {
  expectTypeOf<Plain<ArgsOf<Fields> & AnyArgs>>().toEqualTypeOf<{
    site: Input<string>;
    door?: Input<Door>;
    phrase?: Input<string>;
    weekly?: Input<boolean>;
    robots?: Input<boolean>;
    hidden?: Input<Input<string>[]>;
    ours?: Input<Input<string>[]>;
    adopt?: Input<boolean>;
  }>();
});

test("only an argument without a default may be undefined as an output", () => {
  expectTypeOf<OutputsOf<Pick<Fields, "site" | "door" | "phrase" | "ours">>>().toEqualTypeOf<{
    readonly site: Output<string>;
    readonly door: Output<Door>;
    readonly phrase: Output<string | undefined>;
    readonly ours: Output<string[] | undefined>;
  }>();
});

test("a record has no secret, and may lack what a program may omit", () => {
  expectTypeOf<Plain<RecordOf<Fields>>>().toEqualTypeOf<{
    readonly id: string;
    readonly createdAt?: string | undefined;
    readonly updatedAt?: string | undefined;
    readonly site: string;
    readonly door?: Door;
    readonly weekly?: boolean;
    readonly robots?: boolean;
    readonly hidden?: string[];
    readonly ours?: string[];
  }>();
});
