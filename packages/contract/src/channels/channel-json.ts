import * as z from "zod/mini";

/** The JSON text of `config`, parsed. Unknown keys are kept. */
export const channelConfigSchema = z.looseObject({
  region: z.optional(z.string()),
  ak: z.optional(z.string()),
  sk: z.optional(z.string()),
  user_id: z.optional(z.string()),
  api_version: z.optional(z.string()),
  vertex_ai_project_id: z.optional(z.string()),
  vertex_ai_adc: z.optional(z.string()),
});

export type ChannelConfig = z.infer<typeof channelConfigSchema>;

/** The parsed document of a key, as Google Cloud hands it out. */
export const credentialsSchema = z.looseObject({});

/** The parsed `model_mapping`: the model a caller names to the model the provider is asked for. */
export const modelMappingSchema = z.record(z.string(), z.string().check(z.minLength(1)));

/** The most dollars per million tokens, and the most times the maintained list's price, that a model may cost. */
const MOST = 1_000_000;

/**
 * The parsed `costs`: what the models of a channel cost the operator, by the names that the provider is asked for; `*` stands for all others.
 * Either dollars per million tokens, or a factor of the maintained list's price.
 */
export const channelCostsSchema = z.record(
  z.string().check(z.minLength(1)),
  z.union([
    z
      .strictObject({
        input: z.number().check(z.minimum(0), z.maximum(MOST)),
        output: z.number().check(z.minimum(0), z.maximum(MOST)),
      })
      // Ratios are multiples of the price of input.
      .check(z.refine(({ input, output }) => input > 0 || output === 0)),
    z.strictObject({ factor: z.number().check(z.minimum(0), z.maximum(MOST)) }),
  ]),
);

export type ChannelCosts = z.infer<typeof channelCostsSchema>;
