import type { Log } from "@one-api/contract/logs/log";
import type { LogDetail } from "@one-api/contract/logs/log-detail";

/** Completion tokens per second of delivery; undefined when it was too short to say. */
export function speedOf(log: Log, detail: LogDetail | undefined): number | undefined {
  const deliveryMs = log.elapsed_time - (detail?.first_byte_ms ?? 0);
  if (!log.is_stream || detail === undefined || log.completion_tokens === 0 || deliveryMs < 100) return undefined;
  if (detail.charge?.units !== undefined) return undefined;
  return log.completion_tokens / (deliveryMs / 1_000);
}
