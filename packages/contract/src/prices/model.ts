import * as z from "zod/mini";
import { defineCall } from "../call.ts";

export const listModelsOfTypes = defineCall({
  method: "GET",
  path: "/api/models",
  access: "user",
  summary: "Returns the model names of every channel type, keyed by its number",
  data: z.record(z.string(), z.array(z.string())),
});

const modelSchema = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.int(),
  owned_by: z.string(),
  /** List prices in dollars per million tokens; null if unknown. */
  input_price: z.nullable(z.number()),
  output_price: z.nullable(z.number()),
  /** Number of enabled channels that list the model. */
  channels: z.int(),
});

export type Model = z.infer<typeof modelSchema>;

export const listAllModels = defineCall({
  method: "GET",
  path: "/api/channel/models",
  access: "admin",
  summary: "Lists every model that the gateway knows",
  data: z.array(modelSchema),
});
