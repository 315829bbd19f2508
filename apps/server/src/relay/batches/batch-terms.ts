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

export const batchTermsSchema = z.object({
  group: z.string(),
  alias: z.string().optional(),
  upstreamModel: z.string(),
  factor: z.number(),
  price: priceSchema,
  costPrice: priceSchema.optional(),
});

export type BatchTerms = z.infer<typeof batchTermsSchema>;

/** Upper bound, in model tokens. */
export type LineBound = readonly [promptTokens: number, completionTokens: number];

const lineBoundSchema = z.tuple([z.string(), z.int(), z.int()]);

export function writeLineBound(customId: string, [promptTokens, completionTokens]: LineBound): string {
  return JSON.stringify([customId, promptTokens, completionTokens]);
}

/** Reads the stored bounds by custom_id, in time slices: there may be 50,000. */
export async function readLineBounds(text: string): Promise<ReadonlyMap<string, LineBound>> {
  const bounds = new Map<string, LineBound>();
  for await (const line of splitLines(Readable.from([Buffer.from(text)]), Number.MAX_SAFE_INTEGER)) {
    const [customId, promptTokens, completionTokens] = lineBoundSchema.parse(JSON.parse(line.toString()));
    bounds.set(customId, [promptTokens, completionTokens]);
  }
  return bounds;
}
