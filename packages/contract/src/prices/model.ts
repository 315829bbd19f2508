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
  /** Dollars per million output tokens, for the presets of the channel form; null if unknown. */
  output_price: z.nullable(z.number()),
});

export type Model = z.infer<typeof modelSchema>;

export const listAllModels = defineCall({
  method: "GET",
  path: "/api/channel/models",
  access: "admin",
  summary: "Lists every model that the gateway knows",
  data: z.array(modelSchema),
});
