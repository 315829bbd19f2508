import { NO_PROMPT, type PromptParts } from "../../shared/count-tokens.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";

/** Texts and images of a request. Documents count by their text if it is inline. */
export function promptParts(body: unknown): PromptParts {
  const request = recordOf(body);
  const messages = listOf(request.messages).filter(isRecord);
  const blocks = [request.system, ...messages.map((message) => message.content)].flatMap(blocksOf);
  const definitions = [...listOf(request.tools), recordOf(request.output_config).format].filter(isRecord);
  return {
    ...NO_PROMPT,
    texts: [
      ...messages.map((message) => textOf(message.role)),
      ...blocks.flatMap(textsOfBlock),
      ...definitions.map((definition) => JSON.stringify(definition)),
    ].filter((text) => text !== ""),
    messages: messages.length,
    highDetailImages: blocks.filter((block) => block.type === "image").length,
  };
}

function blocksOf(content: unknown): readonly JsonRecord[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content)
    .filter(isRecord)
    .flatMap((block) => [block, ...blocksOf(block.content), ...blocksOf(recordOf(block.source).content)]);
}

function textsOfBlock(block: JsonRecord): readonly string[] {
  const { source } = block;
  const document = recordOf(source).type === "text" ? textOf(recordOf(source).data) : "";
  const call = block.type === "tool_use" ? [textOf(block.name), JSON.stringify(block.input ?? {})] : [];
  return [textOf(block.text), textOf(block.thinking), textOf(block.title), textOf(block.context), document, ...call];
}
