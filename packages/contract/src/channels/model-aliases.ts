import * as z from "zod/mini";
import { FILTER_LIMITS } from "../constants.ts";

const MAX_MODELS = 8;
const MAX_WEIGHT = 1_000;
const MAX_TOKENS = 100_000_000;
const MAX_DOLLARS = 1_000_000;
/** Of the wait for the first token, in ms. */
export const FIRST_TOKEN_LIMITS = { least: 100, most: 600_000 } as const;

const nameSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(FILTER_LIMITS.aliasLength));
const weightSchema = z.int().check(z.minimum(0), z.maximum(MAX_WEIGHT));
const tokensSchema = z.int().check(z.minimum(1), z.maximum(MAX_TOKENS));

const dollarsSchema = z.number().check(z.minimum(0), z.maximum(MAX_DOLLARS));
const waitSchema = z.int().check(z.minimum(FIRST_TOKEN_LIMITS.least), z.maximum(FIRST_TOKEN_LIMITS.most));

/** Requests that a model of an alias takes. All conditions must hold. */
export const aliasConditionsSchema = z.strictObject({
  /** Least and most tokens of the prompt, of an estimate from its bytes. */
  prompt_from: z.optional(tokensSchema),
  prompt_to: z.optional(tokensSchema),
  /** True: only requests with tools; false: only those without. */
  tools: z.optional(z.boolean()),
  images: z.optional(z.boolean()),
  /** Price ceilings, in dollars per million tokens, with the factor of the caller's group. */
  input_price_to: z.optional(dollarsSchema),
  output_price_to: z.optional(dollarsSchema),
});

export type AliasConditions = z.infer<typeof aliasConditionsSchema>;

const entrySchema = z.union([
  nameSchema,
  z.strictObject({
    model: nameSchema,
    weight: z.optional(weightSchema),
    when: z.optional(aliasConditionsSchema),
    /** The next model is tried if a stream has not begun in this time, in ms. */
    first_token_ms: z.optional(waitSchema),
  }),
]);

type ListedEntry = Exclude<z.infer<typeof entrySchema>, string>;

const isWeighted = (weights: readonly number[]) => weights.some((weight) => weight > 0);

/**
 * Models of an alias: a list in the order in which they are tried, or weights by which the first one is drawn. An entry
 * may have a weight, conditions and a deadline. Names of models, not of other aliases.
 */
const aliasSchema = z.union([
  z.array(entrySchema).check(
    z.minLength(1),
    z.maxLength(MAX_MODELS),
    z.refine((entries) => {
      const weights = entries.flatMap((entry) => (typeof entry === "string" ? [] : (entry.weight ?? [])));
      return weights.length === 0 || isWeighted(weights);
    }),
    z.refine((entries) => {
      const names = entries.map((entry) => (typeof entry === "string" ? entry : entry.model));
      return new Set(names).size === names.length;
    }),
  ),
  z.record(nameSchema, weightSchema).check(
    z.refine((weights) => {
      const all = Object.values(weights);
      return all.length >= 1 && all.length <= MAX_MODELS && isWeighted(all);
    }),
  ),
]);

/** Option ModelAliases: aliases by the name that callers send, which may also be that of a model. */
export const modelAliasesSchema = z.record(nameSchema, aliasSchema);

export type ModelAlias = z.infer<typeof aliasSchema>;

export interface AliasEntry {
  readonly model: string;
  readonly weight: number | undefined;
  readonly when: AliasConditions;
  readonly firstTokenMs: number | undefined;
}

/** Returns the models of an alias in the order in which they are listed. One weight makes all weighted. */
export function entriesOfAlias(alias: ModelAlias): readonly AliasEntry[] {
  if (!Array.isArray(alias)) return listOf(Object.entries(alias));
  const listed = alias.map((entry): ListedEntry => (typeof entry === "string" ? { model: entry } : entry));
  const hasWeights = listed.some(({ weight }) => weight !== undefined);
  return listed.map(({ model, weight, when = {}, first_token_ms: firstTokenMs }) => ({
    model,
    weight: hasWeights ? (weight ?? 0) : undefined,
    when,
    firstTokenMs,
  }));
}

function listOf(weights: readonly (readonly [model: string, weight: number])[]): readonly AliasEntry[] {
  return weights.map(([model, weight]) => ({ model, weight, when: {}, firstTokenMs: undefined }));
}
