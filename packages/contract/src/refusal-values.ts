import { z } from "zod";

/**
 * The numbers and names in the sentences of the relay's refusals; each sentence has some of them. Amounts are quota. They stand in the log, and as
 * `values` beside the message of OpenAI's errors.
 */
export const refusalValuesSchema = z.object({
  /** What of the token's limits per minute was reached, and what it is: requests, images or model tokens. */
  limited: z.enum(["requests", "images", "tokens"]).optional(),
  limit: z.int().optional(),
  /** What the request could cost, and what was left. */
  needed: z.int().optional(),
  left: z.int().optional(),
  /** Of a budget: whose it is, how much, and when it renews, in Unix seconds. */
  whose: z.enum(["account", "token"]).optional(),
  amount: z.int().optional(),
  renews_at: z.int().optional(),
});

export type RefusalValues = z.infer<typeof refusalValuesSchema>;
