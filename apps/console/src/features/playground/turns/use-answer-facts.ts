import type { Answer } from "../chat/conversation.ts";
import { useRequestEntry } from "../playground-queries.ts";

/** Cost and speed of an answer: from the log, else as measured here. 0 ms is unknown. */
export function useAnswerFacts(answer: Answer) {
  const entry = useRequestEntry(answer.requestId, answer.state !== "running").data ?? undefined;
  return {
    logId: entry?.id,
    quota: entry?.quota,
    promptTokens: entry?.prompt_tokens ?? answer.promptTokens,
    completionTokens: entry?.completion_tokens ?? answer.completionTokens,
    firstMs: entry?.detail?.first_byte_ms || answer.firstTokenMs,
    totalMs: entry?.elapsed_time || answer.totalMs,
  };
}
