import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { JsonRecord } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";

/** The chunk of a stream that tells its usage, which names the answer as the others of its chunks do. */
export function writeUsageChunk(usage: Usage, { id, object, created, model }: JsonRecord): string {
  return writeServerSentEvent(
    "",
    JSON.stringify({ id, object, created, model, choices: [], usage: writeUsage(usage) }),
  );
}

/** Writes usage with its parts as OpenAI does; the prompt includes what came from the cache and what was written to it. */
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
