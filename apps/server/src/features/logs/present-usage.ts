import type { FirstByte } from "@one-api/contract/usage/first-byte";
import type { Percentiles, Times } from "@one-api/log-store/questions";

const NONE: Percentiles = { p50: null, p95: null, p99: null };

export function presentFirstByte(times: Times | undefined): FirstByte {
  const { p50, p95, p99 } = times?.firstByte ?? NONE;
  return { first_byte_p50_ms: p50, first_byte_p95_ms: p95, first_byte_p99_ms: p99 };
}
