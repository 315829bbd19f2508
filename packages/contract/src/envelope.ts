import * as z from "zod/mini";
import { errorCodeSchema, errorValuesSchema } from "./error-codes.ts";

/** Every answer of the control API. A refusal by a business rule is HTTP 200 with `success: false`. */
export const envelopeSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.optional(z.unknown()),
  /** Machine-readable reason of a refusal. */
  code: z.optional(errorCodeSchema),
  /** What the message names, for a text in another language. */
  values: z.optional(errorValuesSchema),
  /** The input field a refusal is about. */
  field: z.optional(z.string()),
});

export type Envelope = z.infer<typeof envelopeSchema>;
