import type { CacheMark } from "../neutral/message-part.ts";
import { fields, type Shape, TEXT } from "../neutral/check-fields.ts";
import { isRecord, type JsonRecord } from "../shared/json-fields.ts";

export const CACHE_MARK: Shape = fields({ type: TEXT, ttl: TEXT });

/** Source: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
export function readCacheControl(part: JsonRecord): CacheMark | undefined {
  const mark = part.cache_control;
  if (!isRecord(mark) || mark.type !== "ephemeral") return undefined;
  return mark.ttl === "1h" ? "1h" : "5m";
}

export function writeCacheControl(cache: CacheMark | undefined): JsonRecord {
  if (cache === undefined) return {};
  return { cache_control: cache === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" } };
}
