import * as z from "zod";
import { ApiError, type Request } from "../api/api";
import { getOwn, isJsonObject } from "../api/json";
import { sanitize } from "../api/redact";
import { argument, type InvokeContext, isMissing, type Lookup } from "./lookup";
import { callMarket, parseAnswer } from "./marketplace";
import { flag, id, maybeText, number, object, orEmpty, text } from "./shapes";

/** A purchase of one of the account's items. */
export interface Purchase {
  /** The validated code. */
  readonly purchaseCode: string;
  /** Such as `Regular`; the set of licences is open. */
  readonly licenseType: string;
  /** In the given currency. */
  readonly price: number;
  /** Currency code, such as `USD`. */
  readonly currency: string;
  /** What was bought. */
  readonly item: {
    /** Number of the item, by which it is looked up. */
    readonly id: number;
    /** Title. */
    readonly name: string;
    /** Address of its page. */
    readonly url?: string | undefined;
    /** Pictures. */
    readonly media: {
      /** Address of the picture. */
      readonly previewImage?: string | undefined;
    };
  };
  /** ISO 8601, UTC; absent without support. */
  readonly supportedUntil?: string | undefined;
  /** Whether the buyer has downloaded it. */
  readonly downloaded: boolean;
  /** When it was bought: ISO 8601, UTC. */
  readonly date: string;
}

/** The result of validating a purchase code. */
export type PurchaseValidation =
  | {
      /** Whether the code is valid. */
      readonly valid: true;
      /** The code's purchase, if it is valid. */
      readonly purchase: Purchase;
    }
  | {
      /** Whether the code is valid. */
      readonly valid: false;
      /** The service's words, if it is not valid. */
      readonly reason: string;
    };

const shape: z.ZodType<Purchase> = object({
  purchase_code: text,
  license_type: text,
  price: number,
  currency: text,
  item: object({
    id,
    name: text,
    url: maybeText,
    media: orEmpty(object({ preview_image: maybeText })),
  }),
  supported_until: maybeText,
  downloaded: flag,
  date: maybeText,
  purchased_at: maybeText,
}).transform(({ date, purchasedAt, ...rest }, context) => {
  const bought = date ?? purchasedAt;
  if (bought !== undefined) return { ...rest, date: bought };
  context.addIssue({ code: "custom", path: ["date"], message: "is missing" });
  return z.NEVER;
});

const FAILED_ACTION = "the purchase code can't be validated";

const inputs = {
  purchaseCode: {
    ...argument("text that is not empty", (z) => z.string().refine((value) => value.trim() !== "")),
    secret: true,
  },
};

/** Laravel's validation answers with these to an invalid code, and also if it did not find the code among the parameters. */
const AMBIGUOUS: readonly (number | undefined)[] = [400, 422];
const ELSEWHERE = "does the service take the parameters elsewhere (tracking:marketPostParameters)?";

/** The purchase may be in any of these members, or in `data` itself (the emulator's `nested-item` and `loose`). */
async function validate(purchaseCode: string, { api, warn }: InvokeContext): Promise<PurchaseValidation> {
  const form = { purchase_code: purchaseCode.trim() };
  const request: Request = { method: "POST", path: "/api/purchases/validation", form, idempotent: true };
  try {
    const answer = await callMarket(api, request, FAILED_ACTION);
    const data = getOwn(answer.body, "data");
    const places = [
      getOwn(data, "purchase"),
      ...["item", "purchase", "product"].map((name) => getOwn(answer.body, name)),
      data,
    ];
    const purchase = places.find((place) => isJsonObject(place) && Object.hasOwn(place, "purchase_code"));
    return { valid: true, purchase: parseAnswer(request, shape, purchase, answer) };
  } catch (error) {
    if (!isMissing(error)) {
      if (!(error instanceof ApiError && error.details.status === 400)) throw error;
      throw new ApiError(request, "rejected", `${error.what}; ${ELSEWHERE}`, error.details);
    }
    if (AMBIGUOUS.includes(error.details.status))
      warn(
        `the service answers ${error.details.status} to the purchase code, which counts as not valid; if it is valid: ${ELSEWHERE}`,
      );
    return { valid: false, reason: sanitize(error.details.message ?? "") || "the service does not know it" };
  }
}

/** POST /api/purchases/validation; rejects if the code is not valid. */
export const getPurchase: Lookup<Purchase> = {
  name: "getPurchase",
  service: "market",
  inputs,
  invoke: async ({ purchaseCode }, context) => {
    const validation = await validate(String(purchaseCode), context);
    if (validation.valid) return validation.purchase;
    throw new Error(
      `the purchase code is not valid (${validation.reason}); is it for an item of this account?`,
    );
  },
};

/** POST /api/purchases/validation; a code that is not valid is an answer too. */
export const validatePurchase: Lookup<PurchaseValidation> = {
  name: "validatePurchase",
  service: "market",
  inputs,
  invoke: ({ purchaseCode }, context) => validate(String(purchaseCode), context),
};
