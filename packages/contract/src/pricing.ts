import { z } from "zod";
import { defineCall } from "./call.ts";

/** What a model can do beside reading and writing text, where a list says so. */
export const MODEL_ABILITIES = ["images", "audio", "speech", "drawing", "tools", "reasoning", "embeddings"] as const;

export type ModelAbility = (typeof MODEL_ABILITIES)[number];

/** Dollars per million tokens; null where such tokens have no price of their own. */
const partPriceSchema = z.number().nullable();

/** What a model costs a caller over some kinds of channels. */
export const offeredPriceSchema = z.object({
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
  reasoning: partPriceSchema,
  /** Dollars for one search of the web. */
  web_search: partPriceSchema,
  /** Tokens that it reads and writes together, and writes at the most; null where no list says it. */
  context_tokens: z.int().nullable(),
  max_output_tokens: z.int().nullable(),
  abilities: z.array(z.enum(MODEL_ABILITIES)),
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
export const listedPriceSchema = z.object({
  model: z.string(),
  /** The kind of channel whose price it is; null when it goes by the name alone. */
  type: z.int().nullable(),
  /** A channel serves it. */
  served: z.boolean(),
  /** Null where the list does not know the model. */
  model_ratio: z.number().nullable(),
  completion_ratio: z.number().nullable(),
});

export type ListedPrice = z.infer<typeof listedPriceSchema>;

export const listListedPrices = defineCall({
  method: "GET",
  path: "/api/pricing/listed",
  access: "admin",
  summary: "Every model that the gateway knows, with the ratios of the maintained price list",
  data: z.array(listedPriceSchema),
});
