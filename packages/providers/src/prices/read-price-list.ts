import { setImmediate as nextTurn } from "node:timers/promises";
import type { PriceTable } from "@one-api/contract/prices/model-prices";
import type { MatchLogic } from "@pydantic/genai-prices";
import { z } from "zod";
import { compilePattern } from "./name-pattern.ts";
import { readNamedPrices } from "./read-named-prices.ts";
import { PatternError } from "./parse-pattern.ts";
import {
  ASKED_LISTS,
  BUILT_IN_PRICE_LIST,
  createPriceList,
  type ListedProvider,
  type PriceList,
  withFollowed,
  withNames,
} from "./price-list.ts";

/** Highest plausible price, in dollars per million tokens or per thousand calls. */
const MAX_PRICE = 1_000_000;
const MAX_PATTERN_LENGTH = 300;
const nameSchema = z.string().min(1).max(300);
const amountSchema = z.number().min(0).max(MAX_PRICE);

/** Steps of all patterns together, which bound the cost of an unknown name per character. */
const MOST_PATTERN_STEPS = 10_000;
/** Nested conditions; published lists nest two. */
const MOST_NESTED = 8;
/** Longest JSON text of a model. The longest published one has a few KiB, and each is read in one time slice. */
const MOST_MODEL_LENGTH = 64 * 1024;

const patternSchema = z
  .string()
  .max(MAX_PATTERN_LENGTH)
  .superRefine((text, check) => {
    try {
      compilePattern(text);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      check.addIssue({ code: "custom", message: `must be a plain pattern of names: it ${error.message}` });
    }
  });

const plainMatches = [
  z.object({ equals: nameSchema }),
  z.object({ starts_with: nameSchema }),
  z.object({ ends_with: nameSchema }),
  z.object({ contains: nameSchema }),
  z.object({ regex: patternSchema }),
] as const;

function matchesNested(levels: number): z.ZodType<MatchLogic> {
  if (levels === 0) return z.union(plainMatches);
  const conditions = z.array(matchesNested(levels - 1)).max(500);
  return z.union([z.object({ or: conditions }), z.object({ and: conditions }), ...plainMatches]);
}

const matchSchema = matchesNested(MOST_NESTED);

function stepsOf(match: MatchLogic): number {
  if ("or" in match) return match.or.reduce((sum, part) => sum + stepsOf(part), 0);
  if ("and" in match) return match.and.reduce((sum, part) => sum + stepsOf(part), 0);
  return "regex" in match ? compilePattern(match.regex).size : 0;
}

const tieredSchema = z.object({
  base: amountSchema,
  tiers: z.array(z.object({ start: z.number(), price: amountSchema })).max(50),
});

const pricesSchema = z.record(z.string().max(64), z.union([amountSchema, tieredSchema]));

const daySchema = z.iso.date();
const timeSchema = z.string().regex(/^\d{2}:\d{2}/);

/** Older lists omit the kind of a constraint; its fields imply it. */
const constraintSchema = z.union([
  z.object({ start_date: daySchema }).transform(({ start_date }) => ({ type: "start_date" as const, start_date })),
  z
    .object({ start_time: timeSchema, end_time: timeSchema })
    .transform((times) => ({ type: "time_of_date" as const, ...times })),
]);

/**
 * Contexts limit reservations and plausible reports, and a list is used without review. An impossible context, such as 128 for 128 thousand,
 * counts as unknown.
 */
const isContext = (tokens: number) => tokens >= 256 && tokens <= 100_000_000;

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
  models: z.array(z.unknown()).max(5_000),
  fallback_model_providers: z
    .array(nameSchema)
    .max(50)
    .nullish()
    .transform((ids) => ids ?? []),
});

const MODELS_PER_TURN = 10;

const listSchema = z.array(z.unknown()).min(1).max(500);

export interface ReadPriceList {
  readonly list: PriceList;
  readonly data: unknown;
}

/** A list with prices by name over it; without a list, over the program's own. */
const layersSchema = z.object({ list: z.unknown(), names: z.record(z.string(), z.unknown()) });

/**
 * Reads a newer list: in the form that genai-prices publishes, as prices by name, or as `data` of an earlier call. Throws a ZodError that names
 * the first error.
 */
export async function readPriceList(json: unknown): Promise<ReadPriceList> {
  if (Array.isArray(json)) return readProviders(json);
  const layers = layersSchema.safeParse(json);
  const names = layers.success ? readStored(layers.data.names) : readNamedPrices(json);
  const base = layers.success && layers.data.list !== null ? await readProviders(layers.data.list) : undefined;
  const data = { list: base?.data ?? null, names: Object.fromEntries(names) };
  return { list: withNames(base?.list ?? BUILT_IN_PRICE_LIST, names), data };
}

function readStored(names: Readonly<Record<string, unknown>>): PriceTable {
  return Object.keys(names).length === 0 ? new Map() : readNamedPrices({ prices: names });
}

/** Reads the published form without unused providers, in time slices. */
async function readProviders(data: unknown): Promise<ReadPriceList> {
  const read = new Map<string, ReadProvider>();
  let steps = 0;
  for (const item of listSchema.parse(data)) {
    const { models: unread, ...provider } = providerSchema.parse(item);
    const models: ReadModel[] = [];
    for (const [index, model] of unread.entries()) {
      if (index % MODELS_PER_TURN === 0) await nextTurn();
      const text = JSON.stringify(model);
      if (text.length > MOST_MODEL_LENGTH) throw wrongModel(index, `is longer than ${MOST_MODEL_LENGTH} characters`);
      const checked = modelSchema.safeParse(model);
      if (!checked.success)
        throw new z.ZodError(
          checked.error.issues.map((issue) => ({ ...issue, path: ["models", index, ...issue.path] })),
        );
      steps += stepsOf(checked.data.match);
      if (steps > MOST_PATTERN_STEPS)
        throw wrongModel(index, "the patterns of the list are too long together", "match");
      models.push(checked.data);
    }
    read.set(provider.id, { ...provider, models });
  }
  const providers = withFollowed([...ASKED_LISTS], (id) => read.get(id));
  return { list: createPriceList(providers.map(toListedProvider)), data: providers };
}

type ReadModel = z.output<typeof modelSchema>;
type ReadProvider = Omit<z.output<typeof providerSchema>, "models"> & { readonly models: readonly ReadModel[] };

function wrongModel(index: number, message: string, ...field: readonly string[]): z.ZodError {
  return new z.ZodError([{ code: "custom", path: ["models", index, ...field], message, input: undefined }]);
}

function toListedProvider({ id, models, fallback_model_providers: follows }: ReadProvider): ListedProvider {
  return {
    id,
    fallback_model_providers: follows,
    models: models.map(({ context_window: context, prices, ...model }) => ({
      ...model,
      ...(typeof context === "number" && isContext(context) ? { context_window: context } : {}),
      prices: Array.isArray(prices)
        ? prices.map(({ constraint, prices: parts }) =>
            constraint ? { constraint, prices: parts } : { prices: parts },
          )
        : prices,
    })),
  };
}
