import * as z from "zod/mini";

/**
 * The numbers and names in the sentences of the relay's refusals; each sentence has some of them. Amounts are quota. They stand in the log, and as
 * `values` beside the message of OpenAI's errors.
 */
export const refusalValuesSchema = z.object({
  /** What of the token's limits per minute was reached, and what it is: requests, images or model tokens. */
  limited: z.optional(z.enum(["requests", "images", "tokens"])),
  limit: z.optional(z.int()),
  /** What the request could cost, and what was left. */
  needed: z.optional(z.int()),
  left: z.optional(z.int()),
  /** Of a budget: whose it is, how much, and when it renews, in Unix seconds. */
  whose: z.optional(z.enum(["account", "token"])),
  amount: z.optional(z.int()),
  renews_at: z.optional(z.int()),
});

export type RefusalValues = z.infer<typeof refusalValuesSchema>;
