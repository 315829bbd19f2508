import * as z from "zod/mini";

/** Percentiles of the time to the first byte of streams, in ms; null without streams. */
export const firstByteFields = {
  first_byte_p50_ms: z.nullable(z.int()),
  first_byte_p95_ms: z.nullable(z.int()),
  first_byte_p99_ms: z.nullable(z.int()),
};

const firstByteSchema = z.object(firstByteFields);

export type FirstByte = z.infer<typeof firstByteSchema>;

/** Response times; null if not requested, or without requests. */
export const timesFields = {
  ...firstByteFields,
  /** Percentiles of the time to the last byte of complete answers, in ms. */
  total_p50_ms: z.nullable(z.int()),
  total_p95_ms: z.nullable(z.int()),
  total_p99_ms: z.nullable(z.int()),
  tokens_per_second: z.nullable(z.number()),
};
