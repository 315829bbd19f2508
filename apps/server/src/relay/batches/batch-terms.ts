import { PRICE_UNITS } from "@one-api/contract/price-unit";
import { z } from "zod";

const ratio = z.number();
const priceFields = {
  unit: z.enum(PRICE_UNITS),
  modelRatio: ratio,
  completionRatio: ratio,
  groupRatio: ratio,
  cachedRatio: ratio,
  cacheWriteRatio: ratio,
  longCacheWriteRatio: ratio,
  audioRatio: ratio,
  cachedAudioRatio: ratio,
  audioCompletionRatio: ratio,
  imageRatio: ratio,
  imageCompletionRatio: ratio,
  reasoningRatio: ratio,
  source: z.enum(["option", "list", "fallback"]),
};
const stepSchema = z.object({ above: z.int(), price: z.object(priceFields) });
const priceSchema = z.object({ ...priceFields, steps: z.array(stepSchema).default([]) });

/** What a batch is charged by: as it stood when it was made, whatever the options say a day later. */
export const batchTermsSchema = z.object({
  group: z.string(),
  upstreamModel: z.string(),
  /** What its being a batch multiplies the price by. */
  factor: z.number(),
  price: priceSchema,
  /** Absent where nobody knows what it costs the operator. */
  costPrice: priceSchema.optional(),
});

export type BatchTerms = z.infer<typeof batchTermsSchema>;

/** What each line can use at the most, in model tokens: its custom_id, prompt and completion. */
export const lineBoundsSchema = z.array(z.tuple([z.string(), z.int(), z.int()]));

export type LineBounds = z.infer<typeof lineBoundsSchema>;
