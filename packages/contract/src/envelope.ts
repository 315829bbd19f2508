import * as z from "zod/mini";
import { errorCodeSchema, errorValuesSchema } from "./error-codes.ts";

/** Every answer of the control API. A refusal by a business rule is HTTP 200 with `success: false`. */
export const envelopeSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.optional(z.unknown()),
  code: z.optional(errorCodeSchema),
  /** Values in the message, for a text in another language. */
  values: z.optional(errorValuesSchema),
  field: z.optional(z.string()),
});

export type Envelope = z.infer<typeof envelopeSchema>;
