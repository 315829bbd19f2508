import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { unixSecondsSchema } from "../fields.ts";
import { modelPriceSchema } from "./model-prices.ts";

export const DEFAULT_PRICE_LIST_ADDRESS =
  "https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json";

/**
 * How changes of the published list are applied. All but `off` fetch it once a day.
 *
 * | policy | meaning |
 * |---|---|
 * | `off`, `manual` | by hand |
 * | `cheaper` | cheaper prices at once, others by hand |
 * | `delayed` | cheaper prices at once, dearer ones after a day |
 */
export const PRICE_LIST_POLICIES = ["off", "manual", "cheaper", "delayed"] as const;

export type PriceListPolicy = (typeof PRICE_LIST_POLICIES)[number];

const priceListSchema = z.object({
  /** Empty for the list of the program. */
  version: z.string(),
  fetched_at: unixSecondsSchema,
  models: z.int(),
});

export const getPriceList = defineCall({
  method: "GET",
  path: "/api/pricing/list",
  access: "admin",
  summary: "Returns the maintained price list in use",
  data: z.extend(priceListSchema, {
    /** The program was updated after this list was applied, and may have a newer one. */
    is_older_than_program: z.boolean(),
  }),
});

const priceChangeSchema = z.object({
  model: z.string(),
  /** Channel type of the price; null if only the name counts. */
  type: z.nullable(z.int()),
  served: z.boolean(),
  /** Null if a list does not have the model. */
  before: z.nullable(modelPriceSchema),
  after: z.nullable(modelPriceSchema),
  /** An option sets this model's price, so charges do not change. */
  has_own_ratio: z.boolean(),
  /** `odd`: a change that looks like an error of the list, or that makes a model free or unknown. */
  kind: z.enum(["new", "cheaper", "dearer", "odd"]),
  /** When it applies automatically; null if it waits for an administrator. */
  due_at: z.nullable(unixSecondsSchema),
});

export type PriceChange = z.infer<typeof priceChangeSchema>;

const foundListSchema = z.extend(priceListSchema, {
  changes: z.array(priceChangeSchema),
});

export const listWaitingPrices = defineCall({
  method: "GET",
  path: "/api/pricing/list/waiting",
  access: "admin",
  summary: "Returns the changes of the price list that was fetched last, which are not applied; null without any",
  data: z.nullable(foundListSchema),
});

export const findPriceList = defineCall({
  method: "POST",
  path: "/api/pricing/list/find",
  access: "root",
  summary: "Fetches the newest price list and returns what it would change; changes nothing",
  data: foundListSchema,
});

export const usePriceList = defineCall({
  method: "POST",
  path: "/api/pricing/list/use",
  access: "root",
  summary: "Applies the price list that was fetched last; with an empty version, the program's own",
  body: z.object({ version: z.string().check(z.maxLength(64)) }),
  data: z.null(),
});
