import { isRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { writtenText } from "../../shared/written-text.ts";

/**
 * Everything that the model wrote in a stream chunk of OpenAI's format, joined: content, reasoning, refusal, calls of tools of every kind, what it spoke; of all
 * choices. For counting, not for showing.
 */
export function deltaText(chunk: unknown): string {
  return listOf(recordOf(chunk).choices)
    .map((choice) => textOf(recordOf(choice).text) + messageText(recordOf(choice).delta))
    .join("");
}

/** Everything that the model wrote in a whole answer of OpenAI's format, as `deltaText` does for a chunk. */
export function completionText(answer: unknown): string {
  return listOf(recordOf(answer).choices)
    .map((choice) => textOf(recordOf(choice).text) + messageText(recordOf(choice).message))
    .join("");
}

/** True for a chunk that says why a choice ended. */
export function hasFinished(chunk: unknown): boolean {
  return listOf(recordOf(chunk).choices).some((choice) => textOf(recordOf(choice).finish_reason) !== "");
}

/**
 * All text of a message or of a delta. Providers call reasoning `reasoning_content` (DeepSeek, Moonshot, xAI) or `reasoning`; OpenRouter repeats
 * it in `reasoning_details`.
 */
function messageText(message: unknown): string {
  if (!isRecord(message)) return "";
  const { reasoning_content: content, reasoning, reasoning_details: details, audio, name: _speaker, ...rest } = message;
  const thoughts = textOf(content) || writtenText(reasoning) || writtenText(details);
  return writtenText(rest) + thoughts + textOf(recordOf(audio).transcript);
}
