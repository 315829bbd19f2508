import { z } from "zod";

/** The JSON text of `config`, parsed. Unknown keys are kept. */
export const channelConfigSchema = z.looseObject({
  region: z.string().optional(),
  ak: z.string().optional(),
  sk: z.string().optional(),
  user_id: z.string().optional(),
  api_version: z.string().optional(),
  vertex_ai_project_id: z.string().optional(),
  vertex_ai_adc: z.string().optional(),
});

export type ChannelConfig = z.infer<typeof channelConfigSchema>;

/** The parsed `model_mapping`: the model a caller names to the model the provider is asked for. */
export const modelMappingSchema = z.record(z.string(), z.string().min(1));

/** The most dollars per million tokens, and the most times the maintained list's price, that a model may cost. */
const MOST = 1_000_000;

/**
 * The parsed `costs`: what the models of a channel cost the operator, by the names that the provider is asked for; `*` stands for all others.
 * Either dollars per million tokens, or a factor of the maintained list's price.
 */
export const channelCostsSchema = z.record(
  z.string().min(1),
  z.union([
    z
      .strictObject({ input: z.number().min(0).max(MOST), output: z.number().min(0).max(MOST) })
      // Ratios are multiples of the price of input.
      .refine(({ input, output }) => input > 0 || output === 0),
    z.strictObject({ factor: z.number().min(0).max(MOST) }),
  ]),
);

export type ChannelCosts = z.infer<typeof channelCostsSchema>;
