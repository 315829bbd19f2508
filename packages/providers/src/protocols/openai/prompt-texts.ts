import { isRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_PROMPT, type PromptParts } from "../../shared/count-tokens.ts";

export function promptTexts(body: unknown): PromptParts {
  const request = recordOf(body);
  if (Array.isArray(request.messages)) {
    return chatParts(request.messages, [request.tools, request.functions, request.response_format]);
  }
  const inputs: readonly unknown[] = [request.prompt, request.suffix, request.input].flatMap((value) => asList(value));
  const images = inputs.filter(isImage);
  return {
    ...NO_PROMPT,
    texts: inputs.flatMap((input) => textsOf(isRecord(input) ? [input] : input)),
    tokenNumbers: inputs.flat().filter((input) => typeof input === "number").length,
    lowDetailImages: images.filter(isLowDetail).length,
    highDetailImages: images.filter((image) => !isLowDetail(image)).length,
  };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? listOf(value) : [value];
}

function chatParts(list: readonly unknown[], definitions: readonly unknown[]): PromptParts {
  const messages = list.filter(isRecord);
  const names = messages.map((message) => textOf(message.name)).filter((name) => name !== "");
  const images = messages.flatMap((message) => listOf(message.content)).filter(isImage);
  return {
    ...NO_PROMPT,
    texts: [
      ...messages.flatMap((message) => [textOf(message.role), ...textsOf(message.content), ...callTexts(message)]),
      ...names,
      ...definitions
        .filter((definition) => definition !== undefined && definition !== null)
        .map((definition) => JSON.stringify(definition)),
    ].filter((text) => text !== ""),
    messages: messages.length,
    names: names.length,
    lowDetailImages: images.filter(isLowDetail).length,
    highDetailImages: images.filter((image) => !isLowDetail(image)).length,
  };
}

function textsOf(content: unknown): readonly string[] {
  return typeof content === "string"
    ? [content]
    : listOf(content)
        .map((part) => textOf(recordOf(part).text))
        .filter((text) => text !== "");
}

function callTexts(message: Readonly<Record<string, unknown>>): readonly string[] {
  const calls = [...listOf(message.tool_calls).map((call) => recordOf(call).function), message.function_call].filter(
    isRecord,
  );
  return [textOf(message.reasoning_content), ...calls.flatMap((call) => [textOf(call.name), textOf(call.arguments)])];
}

function isImage(part: unknown): boolean {
  return recordOf(part).type === "image_url";
}

function isLowDetail(part: unknown): boolean {
  return recordOf(recordOf(part).image_url).detail === "low";
}
