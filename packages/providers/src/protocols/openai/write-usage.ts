import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";

/** Stream chunk with usage, and with the id of the answer's other chunks. */
export function writeUsageChunk(usage: Usage, { id, object, created, model }: JsonRecord): string {
  return writeServerSentEvent(
    "",
    JSON.stringify({ id, object, created, model, choices: [], usage: writeUsage(usage) }),
  );
}

/** The prompt includes cache reads and cache writes. */
export function writeUsage(usage: Usage): JsonRecord {
  const written = usage.cacheWriteTokens + usage.longCacheWriteTokens;
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens + usage.cachedAudioTokens,
      audio_tokens: usage.audioPromptTokens + usage.cachedAudioTokens,
      ...(written > 0 && { cache_write_tokens: written }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioCompletionTokens,
    },
  };
}
