import { NO_PROMPT, type PromptParts } from "../../shared/count-tokens.ts";
import { textInSeal } from "../../neutral/sealed-thoughts.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { fieldOf, listField, recordField } from "./fields.ts";

export function promptParts(body: unknown): PromptParts {
  const nested = fieldOf(recordOf(body), "generateContentRequest");
  const request = isRecord(nested) ? nested : recordOf(body);
  const said = listField(request, "contents").filter(isRecord);
  const parts = [recordField(request, "systemInstruction"), ...said].flatMap((content) =>
    listField(content, "parts").filter(isRecord),
  );
  const config = recordField(request, "generationConfig");
  const definitions = [
    ...listField(request, "tools"),
    fieldOf(config, "responseSchema"),
    fieldOf(config, "responseJsonSchema"),
  ].filter(isRecord);
  return {
    ...NO_PROMPT,
    texts: [
      ...said.map(({ role }) => textOf(role)),
      ...parts.flatMap(textsOfPart),
      ...textsInSeals(parts),
      ...definitions.map((definition) => JSON.stringify(definition)),
    ].filter((text) => text !== ""),
    messages: said.length,
    highDetailImages: parts.filter(isImage).length,
  };
}

function textsOfPart(part: JsonRecord): readonly string[] {
  const named = [recordField(part, "functionCall"), recordField(part, "functionResponse")];
  const calls = named.flatMap((call) =>
    Object.keys(call).length === 0 ? [] : [textOf(call.name), JSON.stringify(call.args ?? call.response ?? {})],
  );
  return [textOf(part.text), ...calls];
}

/** Sealed thoughts; none if the caller has also sent the thoughts. */
function textsInSeals(parts: readonly JsonRecord[]): readonly string[] {
  if (parts.some((part) => part.thought === true)) return [];
  return parts.map((part) => textInSeal(fieldOf(part, "thoughtSignature")));
}

function isImage(part: JsonRecord): boolean {
  const medium = { ...recordField(part, "inlineData"), ...recordField(part, "fileData") };
  return textOf(fieldOf(medium, "mimeType")).startsWith("image/");
}

export function embeddingParts(body: unknown): PromptParts {
  return { ...NO_PROMPT, texts: embeddingTexts(recordOf(body)) };
}

export function embeddingTexts(body: JsonRecord): readonly string[] {
  const requests = Array.isArray(body.requests) ? listOf(body.requests).filter(isRecord) : [body];
  return requests.map(({ content }) =>
    typeof content === "string"
      ? content
      : listField(recordOf(content), "parts")
          .map((part) => textOf(recordOf(part).text))
          .join(""),
  );
}
