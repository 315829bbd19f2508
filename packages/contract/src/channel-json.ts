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
