import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { unixSecondsSchema } from "../fields.ts";

export const DEFAULT_PRICE_LIST_ADDRESS =
  "https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json";

/** Dollars per million tokens of each kind; absent without a price of its own. */
const listedPartsSchema = z.object({
  input: z.number(),
  output: z.number(),
  cached_input: z.optional(z.number()),
  cache_write: z.optional(z.number()),
  audio_input: z.optional(z.number()),
  audio_output: z.optional(z.number()),
  image_input: z.optional(z.number()),
  reasoning: z.optional(z.number()),
});

export type ListedParts = z.infer<typeof listedPartsSchema>;

const priceListSchema = z.object({
  /** Empty for the list of the program. */
  version: z.string(),
  /** When it was fetched; 0 for the program's own. */
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
  before: z.nullable(listedPartsSchema),
  after: z.nullable(listedPartsSchema),
  /** An option sets this model's ratio, so charges do not change. */
  has_own_ratio: z.boolean(),
});

export type PriceChange = z.infer<typeof priceChangeSchema>;

export const findPriceList = defineCall({
  method: "POST",
  path: "/api/pricing/list/find",
  access: "root",
  summary: "Fetches the newest price list and returns what it would change; changes nothing",
  data: z.extend(priceListSchema, {
    /** Every model that a channel serves or may serve: served ones first, then by name. */
    changes: z.array(priceChangeSchema),
  }),
});

export const usePriceList = defineCall({
  method: "POST",
  path: "/api/pricing/list/use",
  access: "root",
  summary: "Applies the price list that was fetched last; with an empty version, the program's own",
  body: z.object({ version: z.string().check(z.maxLength(64)) }),
  data: z.null(),
});
