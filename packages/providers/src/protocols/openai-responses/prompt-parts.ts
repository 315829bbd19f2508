import { NO_PROMPT, type PromptParts } from "../../shared/count-tokens.ts";
import { textInSeal } from "../../neutral/sealed-thoughts.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";

export function promptParts(body: unknown): PromptParts {
  const request = recordOf(body);
  const items =
    typeof request.input === "string" ? [{ content: request.input }] : listOf(request.input).filter(isRecord);
  const parts = items.flatMap(({ content, output }) => [...listOf(content), ...listOf(output)]).filter(isRecord);
  const images = parts.filter(({ type }) => type === "input_image");
  const definitions = [...listOf(request.tools), recordOf(request.text).format].filter(isRecord);
  return {
    ...NO_PROMPT,
    texts: [
      textOf(request.instructions),
      ...items.flatMap(textsOfItem),
      ...parts.map(({ text, refusal }) => textOf(text) + textOf(refusal)),
      ...definitions.map((definition) => JSON.stringify(definition)),
    ].filter((text) => text !== ""),
    messages: items.length,
    lowDetailImages: images.filter(({ detail }) => detail === "low").length,
    highDetailImages: images.filter(({ detail }) => detail !== "low").length,
  };
}

function textsOfItem(item: JsonRecord): readonly string[] {
  const { role, content, output, name, arguments: input, summary } = item;
  const shown = listOf(summary).map((part) => textOf(recordOf(part).text));
  const thoughts = shown.length > 0 ? shown : [textInSeal(item.encrypted_content)];
  return [textOf(role), textOf(content), textOf(output), textOf(name), textOf(input), textOf(item.input), ...thoughts];
}
