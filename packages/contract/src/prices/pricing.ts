import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { quotaSchema, unixSecondsSchema } from "../fields.ts";
import { PRICE_TIERS, priceTableSchema } from "./model-prices.ts";
import { OTHER_PRICE_UNITS, PRICE_UNITS } from "./price-unit.ts";
import { MODEL_ABILITIES } from "./pricing-constants.ts";
import { OPTION_RATIOS } from "./ratios.ts";

/** Units of tool fees in a dollar: each fee is a whole number of them. */
export const FEES_PER_DOLLAR = 2_000;

/** Dollars per million tokens; null without a price of its own. */
const partPriceSchema = z.nullable(z.number());

/** Dollars per million tokens if the prompt has more tokens than `above`. */
const longPromptSchema = z.object({ above: z.int(), input: z.number(), output: z.number() });

const offeredPriceSchema = z.object({
  model: z.string(),
  types: z.array(z.int()),
  group: z.string(),
  group_ratio: z.number(),
  input: z.number(),
  output: z.number(),
  cached_input: partPriceSchema,
  cache_write: partPriceSchema,
  audio_input: partPriceSchema,
  audio_output: partPriceSchema,
  image_input: partPriceSchema,
  image_output: z.optional(partPriceSchema),
  reasoning: partPriceSchema,
  /**
   * Price of every token if the prompt has more tokens than `above`; null for the same price. The first step of
   * several.
   */
  long_prompt: z._default(z.nullable(longPromptSchema), null),
  /** All steps, if a model has several; absent for one or none. */
  long_prompts: z.optional(z.array(longPromptSchema)),
  /** Factors of all prices of tokens in the service tiers of the provider; absent without own ones. */
  tiers: z.optional(z.partialRecord(z.enum(PRICE_TIERS), z.number())),
  /** Price per unit instead of tokens, in dollars for one image, a million characters, or a minute of a recording. */
  unit_price: z.optional(z.object({ unit: z.enum(OTHER_PRICE_UNITS), dollars: z.number() })),
  web_search: partPriceSchema,
  /** Context window and maximal output, in tokens; null if no list has it. */
  context_tokens: z.nullable(z.int()),
  max_output_tokens: z.nullable(z.int()),
  abilities: z.array(z.enum(MODEL_ABILITIES)),
  /** Charged at the fallback price; absent if a price is known. */
  is_unpriced: z.optional(z.literal(true)),
  /** It has no completion tokens; absent if it does. */
  input_only: z.optional(z.literal(true)),
});

export type OfferedPrice = z.infer<typeof offeredPriceSchema>;

export const listPrices = defineCall({
  method: "GET",
  path: "/api/pricing",
  access: "anyone",
  summary: "Lists every model that the caller may use with its price; visitors see the group default",
  data: z.array(offeredPriceSchema),
});

const listedPriceSchema = z.object({
  model: z.string(),
  type: z.nullable(z.int()),
  served: z.boolean(),
  /** Null if the list does not have the model. */
  /** Unit of the price; absent for tokens. */
  unit: z.optional(z.enum(OTHER_PRICE_UNITS)),
  model_ratio: z.nullable(z.number()),
  completion_ratio: z.nullable(z.number()),
});

export type ListedPrice = z.infer<typeof listedPriceSchema>;

export const listListedPrices = defineCall({
  method: "GET",
  path: "/api/pricing/listed",
  access: "admin",
  summary: "Lists every known model with the ratios of the maintained price list",
  data: z.array(listedPriceSchema),
});

export const findUnpricedModels = defineCall({
  method: "GET",
  path: "/api/pricing/unpriced",
  access: "admin",
  summary:
    "Returns those of the given models that have no known price on a channel type and are charged the fallback price",
  query: z.object({
    type: z.coerce.number().check(z.int()),
    models: z.string().check(z.maxLength(8_000)),
  }),
  data: z.array(z.string()),
});

const ratiosSchema = z.record(
  z.string().check(z.minLength(1), z.maxLength(300)),
  z.number().check(z.minimum(OPTION_RATIOS.min), z.maximum(OPTION_RATIOS.max)),
);

export const MAX_PRICE_EFFECTS = 10;

const effectFields = { before: quotaSchema, after: quotaSchema };

export const estimatePriceEffect = defineCall({
  method: "POST",
  path: "/api/pricing/effect",
  access: "admin",
  changesState: false,
  summary:
    "Estimates the charges of the last 7 days with other model ratios, in proportion to the actual ones; changes nothing",
  body: z.object({
    model_ratios: ratiosSchema,
    completion_ratios: ratiosSchema,
    model_prices: z._default(priceTableSchema, {}),
  }),
  data: z.object({
    ...effectFields,
    models: z.array(z.object({ model: z.string(), ...effectFields })),
    changed: z.int(),
  }),
});

/** Price of a model in dollars: per million tokens, or of the stated amount of another unit. */
const plainPriceSchema = z.object({ unit: z.enum(PRICE_UNITS), input: z.number(), output: z.number() });

const comingPriceSchema = z.object({
  model: z.string(),
  at: unixSecondsSchema,
  /** Source of the price that begins: the option ModelPrices, or the maintained list. */
  source: z.enum(["option", "list"]),
  before: plainPriceSchema,
  after: plainPriceSchema,
  effect: z.object(effectFields),
});

export type ComingPrice = z.infer<typeof comingPriceSchema>;

export const listComingPrices = defineCall({
  method: "GET",
  path: "/api/pricing/coming",
  access: "admin",
  summary: "Lists prices that begin at a later time, with their effect on the charges of the last 7 days",
  data: z.array(comingPriceSchema),
});

export type PriceEffect = z.infer<(typeof estimatePriceEffect)["data"]>;
