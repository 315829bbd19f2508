import { isRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";

/**
 * Everything that the model wrote in a stream chunk of OpenAI's format, joined: content, reasoning, refusal, tool calls, what it spoke; of all
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

/** All text of a message or of a delta. Providers call reasoning `reasoning_content` (DeepSeek, Moonshot, xAI) or `reasoning`. */
function messageText(message: unknown): string {
  if (!isRecord(message)) {
    return "";
  }
  const reasoning = textOf(message.reasoning_content) || textOf(message.reasoning);
  const calls = [...listOf(message.tool_calls).map((call) => recordOf(call).function), message.function_call];
  const callText = calls.map((call) => textOf(recordOf(call).name) + textOf(recordOf(call).arguments)).join("");
  const spoken = textOf(recordOf(message.audio).transcript);
  return contentText(message.content) + reasoning + textOf(message.refusal) + callText + spoken;
}

/** Content is a text or, at Mistral, a list of parts, whose reasoning parts hold lists of texts. */
function contentText(content: unknown): string {
  const parts = listOf(content).map(recordOf);
  return textOf(content) + parts.map((part) => textOf(part.text) + partTexts(part.thinking)).join("");
}

function partTexts(parts: unknown): string {
  return listOf(parts)
    .map((part) => textOf(recordOf(part).text))
    .join("");
}
