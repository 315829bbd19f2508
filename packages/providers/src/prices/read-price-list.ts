import { setImmediate as nextTurn } from "node:timers/promises";
import type { MatchLogic } from "@pydantic/genai-prices";
import { z } from "zod";
import { ASKED_LISTS, createPriceList, type ListedProvider, type PriceList, withFollowed } from "./price-list.ts";

/** Nothing costs more than this, in dollars per million tokens or for a thousand calls: what does is a slip. */
const MAX_PRICE = 1_000_000;
const MAX_PATTERN_LENGTH = 300;
/** Text fields of names and patterns; what is longer is no name. */
const nameSchema = z.string().min(1).max(300);
const amountSchema = z.number().min(0).max(MAX_PRICE);

/** A repeated group may take ages on a name that is made for it, and callers choose the names. */
const isSlow = (pattern: string) => /\)[*+{]/.test(pattern);

const patternSchema = z
  .string()
  .max(MAX_PATTERN_LENGTH)
  .refine((pattern) => !isSlow(pattern) && isPattern(pattern), "must be a pattern without repeated groups");

function isPattern(text: string): boolean {
  try {
    return new RegExp(text).source !== "";
  } catch {
    return false;
  }
}

const matchSchema: z.ZodType<MatchLogic> = z.lazy(() =>
  z.union([
    z.object({ or: z.array(matchSchema).max(500) }),
    z.object({ and: z.array(matchSchema).max(500) }),
    z.object({ equals: nameSchema }),
    z.object({ starts_with: nameSchema }),
    z.object({ ends_with: nameSchema }),
    z.object({ contains: nameSchema }),
    z.object({ regex: patternSchema }),
  ]),
);

const tieredSchema = z.object({
  base: amountSchema,
  tiers: z.array(z.object({ start: z.number(), price: amountSchema })).max(50),
});

const pricesSchema = z.record(z.string().max(64), z.union([amountSchema, tieredSchema]));

const daySchema = z.iso.date();
const timeSchema = z.string().regex(/^\d{2}:\d{2}/);

/** Older lists leave the kind of a constraint to its fields. */
const constraintSchema = z.union([
  z.object({ start_date: daySchema }).transform(({ start_date }) => ({ type: "start_date" as const, start_date })),
  z
    .object({ start_time: timeSchema, end_time: timeSchema })
    .transform((times) => ({ type: "time_of_date" as const, ...times })),
]);

const modelSchema = z.object({
  id: nameSchema,
  match: matchSchema,
  context_window: z.int().positive().nullish(),
  prices: z.union([
    z
      .array(z.object({ constraint: constraintSchema.nullish(), prices: pricesSchema }))
      .min(1)
      .max(100),
    pricesSchema,
  ]),
});

const providerSchema = z.object({
  id: nameSchema,
  models: z.array(modelSchema).max(5_000),
  fallback_model_providers: z
    .array(nameSchema)
    .max(50)
    .nullish()
    .transform((ids) => ids ?? []),
});

const listSchema = z.array(z.unknown()).min(1).max(500);

/** A list that was read, and the data that it was read from without what nothing here needs. */
export interface ReadPriceList {
  readonly list: PriceList;
  readonly data: unknown;
}

/**
 * Reads a newer list, in the form that genai-prices publishes, and leaves out providers that are never asked; requests get their turn in between.
 * Throws a ZodError that names the first place that is wrong.
 */
export async function readPriceList(data: unknown): Promise<ReadPriceList> {
  const read = new Map<string, z.output<typeof providerSchema>>();
  for (const item of listSchema.parse(data)) {
    const provider = providerSchema.parse(item);
    read.set(provider.id, provider);
    await nextTurn();
  }
  const providers = withFollowed([...ASKED_LISTS], (id) => read.get(id));
  return { list: createPriceList(providers.map(toListedProvider)), data: providers };
}

function toListedProvider({
  id,
  models,
  fallback_model_providers: follows,
}: z.output<typeof providerSchema>): ListedProvider {
  return {
    id,
    fallback_model_providers: follows,
    models: models.map(({ context_window: context, prices, ...model }) => ({
      ...model,
      ...(typeof context === "number" ? { context_window: context } : {}),
      prices: Array.isArray(prices)
        ? prices.map(({ constraint, prices: parts }) =>
            constraint ? { constraint, prices: parts } : { prices: parts },
          )
        : prices,
    })),
  };
}
