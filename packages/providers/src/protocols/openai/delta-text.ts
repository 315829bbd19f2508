import { isRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { writtenText } from "../../shared/written-text.ts";

/**
 * All generated text of a stream chunk, joined, for token counts: content, reasoning, refusal, tool calls and
 * transcripts of all choices.
 */
export function deltaText(chunk: unknown): string {
  return listOf(recordOf(chunk).choices)
    .map((choice) => textOf(recordOf(choice).text) + messageText(recordOf(choice).delta))
    .join("");
}

export function completionText(answer: unknown): string {
  return listOf(recordOf(answer).choices)
    .map((choice) => textOf(recordOf(choice).text) + messageText(recordOf(choice).message))
    .join("");
}

export function hasFinished(chunk: unknown): boolean {
  return listOf(recordOf(chunk).choices).some((choice) => textOf(recordOf(choice).finish_reason) !== "");
}

/**
 * Text of a message or delta. Reasoning is `reasoning_content` (DeepSeek, Moonshot, xAI) or `reasoning`; OpenRouter
 * repeats it in `reasoning_details`.
 */
function messageText(message: unknown): string {
  if (!isRecord(message)) return "";
  const { reasoning_content: content, reasoning, reasoning_details: details, audio, name: _speaker, ...rest } = message;
  const thoughts = textOf(content) || writtenText(reasoning) || writtenText(details);
  return writtenText(rest) + thoughts + textOf(recordOf(audio).transcript);
}
