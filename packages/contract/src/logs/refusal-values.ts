import * as z from "zod/mini";
import { LIMIT_KINDS } from "../limits/limit-constants.ts";

/**
 * Values in the texts of the relay's refusals; each text uses some. Amounts are quota. The log has them, and OpenAI's
 * errors as `values`.
 */
export const refusalValuesSchema = z.object({
  /** The limit per minute that was reached, and its unit. */
  limited: z.optional(z.enum(LIMIT_KINDS)),
  limit: z.optional(z.int()),
  /** Of a rate limit, in seconds. */
  window: z.optional(z.int()),
  /** Upper bound of the request's charge, and the remaining quota. */
  needed: z.optional(z.int()),
  left: z.optional(z.int()),
  /** For a budget: its owner, its amount, and its renewal in Unix seconds. */
  whose: z.optional(z.enum(["account", "token", "group"])),
  /** Name of the group whose budget it is. */
  group: z.optional(z.string()),
  amount: z.optional(z.int()),
  renews_at: z.optional(z.int()),
});

export type RefusalValues = z.infer<typeof refusalValuesSchema>;
