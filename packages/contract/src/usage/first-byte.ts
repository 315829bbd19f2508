import { z } from "zod";

/** How long streams took until their first byte, in ms; null without streams. */
export const firstByteFields = {
  /** The geometric mean, which single slow ones move little. */
  first_byte_ms: z.int().nullable(),
  /** What half of them did not take longer than, to an eighth; null also of times, users and tokens of which only the mean is kept. */
  first_byte_p50_ms: z.int().nullable(),
  /** What 95 of 100 did not take longer than, likewise. */
  first_byte_p95_ms: z.int().nullable(),
};

const firstByteSchema = z.object(firstByteFields);

export type FirstByte = z.infer<typeof firstByteSchema>;
