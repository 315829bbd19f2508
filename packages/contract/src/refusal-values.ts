import * as z from "zod/mini";
import { LIMIT_KINDS } from "./limits/limits.ts";

/**
 * The numbers and names in the sentences of the relay's refusals; each sentence has some of them. Amounts are quota. They stand in the log, and as
 * `values` beside the message of OpenAI's errors.
 */
export const refusalValuesSchema = z.object({
  /** Kind of the rate limit that was reached, its amount and its window in seconds. */
  limited: z.optional(z.enum(LIMIT_KINDS)),
  limit: z.optional(z.int()),
  window: z.optional(z.int()),
  /** What the request could cost, and what was left. */
  needed: z.optional(z.int()),
  left: z.optional(z.int()),
  /** Of a budget: whose it is, how much, and when it renews, in Unix seconds. */
  whose: z.optional(z.enum(["account", "token"])),
  amount: z.optional(z.int()),
  renews_at: z.optional(z.int()),
});

export type RefusalValues = z.infer<typeof refusalValuesSchema>;
