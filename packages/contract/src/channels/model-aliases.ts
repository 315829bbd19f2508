import * as z from "zod/mini";

const MAX_MODELS = 8;
const MAX_WEIGHT = 1_000;
const MAX_NAME_LENGTH = 200;

const nameSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_NAME_LENGTH));

/**
 * Models of an alias: a list in the order in which they are tried, or weights by which the first one is drawn. Names
 * of models, not of other aliases.
 */
const aliasSchema = z.union([
  z.array(nameSchema).check(z.minLength(1), z.maxLength(MAX_MODELS)),
  z.record(nameSchema, z.int().check(z.minimum(0), z.maximum(MAX_WEIGHT))).check(
    z.refine((weights) => {
      const all = Object.values(weights);
      return all.length >= 1 && all.length <= MAX_MODELS && all.some((weight) => weight > 0);
    }),
  ),
]);

/** Option ModelAliases: aliases by the name that callers send, which may also be that of a model. */
export const modelAliasesSchema = z.record(nameSchema, aliasSchema);

export type ModelAlias = z.infer<typeof aliasSchema>;
