import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { quotaSchema } from "../fields.ts";
import { OTHER_PRICE_UNITS } from "./price-unit.ts";
import { OPTION_RATIOS } from "./ratios.ts";

/** What a model can do beside reading and writing text, where a list says so. */
const MODEL_ABILITIES = ["images", "audio", "speech", "drawing", "tools", "reasoning", "embeddings"] as const;

/** A dollar in the fees that tools of providers are charged in: each costs a whole number of them. */
export const FEES_PER_DOLLAR = 2_000;

/** Dollars per million tokens; null where such tokens have no price of their own. */
const partPriceSchema = z.nullable(z.number());

/** What a model costs a caller over some kinds of channels. */
const offeredPriceSchema = z.object({
  model: z.string(),
  /** Kinds of channels, by number, that serve the model for this price. */
  types: z.array(z.int()),
  /** The group that calls of it are made in, whose ratio is in the prices. */
  group: z.string(),
  group_ratio: z.number(),
  input: z.number(),
  output: z.number(),
  cached_input: partPriceSchema,
  cache_write: partPriceSchema,
  audio_input: partPriceSchema,
  audio_output: partPriceSchema,
  image_input: partPriceSchema,
  /** Of pictures that a model makes. */
  image_output: z.optional(partPriceSchema),
  reasoning: partPriceSchema,
  /** What every token of a request costs whose prompt has more tokens than `above`; null where it costs the same. The first step, where there are several. */
  long_prompt: z._default(z.nullable(z.object({ above: z.int(), input: z.number(), output: z.number() })), null),
  /** What the model is priced by instead of tokens, in dollars for one picture, a million characters, or a minute of a recording. */
  unit_price: z.optional(z.object({ unit: z.enum(OTHER_PRICE_UNITS), dollars: z.number() })),
  /** Dollars for one search of the web. */
  web_search: partPriceSchema,
  /** Tokens that it reads and writes together, and writes at the most; null where no list says it. */
  context_tokens: z.nullable(z.int()),
  max_output_tokens: z.nullable(z.int()),
  abilities: z.array(z.enum(MODEL_ABILITIES)),
  /** No price is known, so the fallback price is charged; absent: one is known. */
  is_unpriced: z.optional(z.literal(true)),
  /** It gives no tokens back, so that its price of them is nobody's; absent: it does. */
  input_only: z.optional(z.literal(true)),
});

export type OfferedPrice = z.infer<typeof offeredPriceSchema>;

export const listPrices = defineCall({
  method: "GET",
  path: "/api/pricing",
  access: "anyone",
  summary: "Every model that the caller may use and what it costs; visitors see the group default",
  data: z.array(offeredPriceSchema),
});

/** What the maintained list says of a model, beside which administrators set their own ratios. */
const listedPriceSchema = z.object({
  model: z.string(),
  /** The kind of channel whose price it is; null when it goes by the name alone. */
  type: z.nullable(z.int()),
  /** A channel serves it. */
  served: z.boolean(),
  /** Null where the list does not know the model. */
  /** What the price is of; absent: tokens. */
  unit: z.optional(z.enum(OTHER_PRICE_UNITS)),
  model_ratio: z.nullable(z.number()),
  completion_ratio: z.nullable(z.number()),
});

export type ListedPrice = z.infer<typeof listedPriceSchema>;

export const listListedPrices = defineCall({
  method: "GET",
  path: "/api/pricing/listed",
  access: "admin",
  summary: "Every model that the gateway knows, with the ratios of the maintained price list",
  data: z.array(listedPriceSchema),
});

export const findUnpricedModels = defineCall({
  method: "GET",
  path: "/api/pricing/unpriced",
  access: "admin",
  summary: "Which of these models have no known price on a kind of channel, so that the fallback price is charged",
  query: z.object({
    type: z.coerce.number().check(z.int()),
    /** Names with commas between. */
    models: z.string().check(z.maxLength(8_000)),
  }),
  data: z.array(z.string()),
});

const ratiosSchema = z.record(
  z.string().check(z.minLength(1), z.maxLength(300)),
  z.number().check(z.minimum(OPTION_RATIOS.min), z.maximum(OPTION_RATIOS.max)),
);

/** Models of an estimate that are told one by one. */
export const MAX_PRICE_EFFECTS = 10;

const effectFields = { before: quotaSchema, after: quotaSchema };

export const estimatePriceEffect = defineCall({
  method: "POST",
  path: "/api/pricing/effect",
  access: "admin",
  changesState: false,
  summary:
    "What the requests of the last 7 days would have been charged with other ratios of models, in proportion to what they were; nothing is changed",
  body: z.object({ model_ratios: ratiosSchema, completion_ratios: ratiosSchema }),
  data: z.object({
    ...effectFields,
    /** Those whose charge changes most. */
    models: z.array(z.object({ model: z.string(), ...effectFields })),
    /** How many models' charges change. */
    changed: z.int(),
  }),
});

export type PriceEffect = z.infer<(typeof estimatePriceEffect)["data"]>;
