import { Readable } from "node:stream";
import { PRICE_UNITS } from "@one-api/contract/prices/price-unit";
import { z } from "zod";
import { splitLines } from "./split-lines.ts";

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

/** What a line can use at the most, in model tokens. */
export type LineBound = readonly [promptTokens: number, completionTokens: number];

const lineBoundSchema = z.tuple([z.string(), z.int(), z.int()]);

/** Writes what a line can use, by its custom_id; all of a batch's are kept as lines of one text. */
export function writeLineBound(customId: string, [promptTokens, completionTokens]: LineBound): string {
  return JSON.stringify([customId, promptTokens, completionTokens]);
}

/** Reads what was kept of a batch's lines, by custom_id. Others have their turns in between: there may be 50,000. */
export async function readLineBounds(text: string): Promise<ReadonlyMap<string, LineBound>> {
  const bounds = new Map<string, LineBound>();
  for await (const line of splitLines(Readable.from([Buffer.from(text)]), Number.MAX_SAFE_INTEGER)) {
    const [customId, promptTokens, completionTokens] = lineBoundSchema.parse(JSON.parse(line.toString()));
    bounds.set(customId, [promptTokens, completionTokens]);
  }
  return bounds;
}
