import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { unixSecondsSchema } from "../fields.ts";

/** Where newer prices are looked for unless the option PriceListAddress says otherwise. */
export const DEFAULT_PRICE_LIST_ADDRESS =
  "https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json";

/** Dollars per million tokens of each kind; a kind without a price of its own is left out. */
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

/** A maintained list of prices. */
const priceListSchema = z.object({
  /** Empty for the list that came with the program. */
  version: z.string(),
  /** When it was read; 0 for the program's own. */
  fetched_at: unixSecondsSchema,
  models: z.int(),
});

export const getPriceList = defineCall({
  method: "GET",
  path: "/api/pricing/list",
  access: "admin",
  summary: "The maintained price list that is in use",
  data: z.extend(priceListSchema, {
    /** The program was updated since the list was taken over, and brought one of its own that may be newer. */
    is_older_than_program: z.boolean(),
  }),
});

/** What a list changes for one model. */
const priceChangeSchema = z.object({
  model: z.string(),
  /** The kind of channel whose price it is; null when it goes by the name alone. */
  type: z.nullable(z.int()),
  /** A channel serves it. */
  served: z.boolean(),
  /** Null where a list does not know the model. */
  before: z.nullable(listedPartsSchema),
  after: z.nullable(listedPartsSchema),
  /** An option sets this model's ratio, so that callers are charged as before. */
  has_own_ratio: z.boolean(),
});

export type PriceChange = z.infer<typeof priceChangeSchema>;

export const findPriceList = defineCall({
  method: "POST",
  path: "/api/pricing/list/find",
  access: "root",
  summary: "Reads the newest price list and says what it would change; nothing changes yet",
  data: z.extend(priceListSchema, {
    /** Of every model that a channel serves or may serve: those of channels first, then by name. */
    changes: z.array(priceChangeSchema),
  }),
});

export const usePriceList = defineCall({
  method: "POST",
  path: "/api/pricing/list/use",
  access: "root",
  summary: "Takes prices from the list that was read last, or with an empty version from the program's own again",
  body: z.object({ version: z.string().check(z.maxLength(64)) }),
  data: z.null(),
});
