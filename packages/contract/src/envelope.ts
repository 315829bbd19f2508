import { z } from "zod";
import { errorCodeSchema, errorValuesSchema } from "./error-codes.ts";

/** Every answer of the control API. A refusal by a business rule is HTTP 200 with `success: false`. */
export const envelopeSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.unknown().optional(),
  /** Machine-readable reason of a refusal. */
  code: errorCodeSchema.optional(),
  /** What the message names, for a text in another language. */
  values: errorValuesSchema.optional(),
  /** The input field a refusal is about. */
  field: z.string().optional(),
});

export type Envelope = z.infer<typeof envelopeSchema>;
