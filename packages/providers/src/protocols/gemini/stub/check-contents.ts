import { isJsonObject, type JsonObject, listField, objectField, objectsField } from "../../../stub-kit/json-fields.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { signThought } from "../../../stub-kit/thought.ts";
import { wantedByContents } from "../../openai/stub/logprobs.ts";

const FIELDS = new Set(
  `cachedContent contents generationConfig labels model safetySettings serviceTier store systemInstruction toolConfig
  tools`.split(/\s+/),
);
const OPTIONS = new Set(
  `candidateCount frequencyPenalty imageConfig logprobs maxOutputTokens mediaResolution presencePenalty responseJsonSchema
  responseLogprobs responseMimeType responseModalities responseSchema seed speechConfig stopSequences temperature
  thinkingConfig topK topP`.split(/\s+/),
);
const KINDS = "text inlineData fileData functionCall functionResponse executableCode codeExecutionResult".split(" ");

const NO_SIGNATURE = "skip_thought_signature_validator";

/** Throws RequestRefused (400) like Google. */
export function checkContents(body: JsonObject, model: string): void {
  checkNames(body, FIELDS, "");
  const config = objectField(body, "generationConfig");
  checkNames(config, OPTIONS, " at 'generation_config'");
  if (config["responseSchema"] !== undefined && config["responseJsonSchema"] !== undefined) {
    refuse("generation_config: only one of response_schema and response_json_schema can be set");
  }
  const contents = objectsField(body, "contents");
  if (contents.length === 0) refuse("* GenerateContentRequest.contents: contents is not specified");
  if (isJsonObject(body["systemInstruction"]) && listField(body["systemInstruction"], "parts").length === 0) {
    refuse("* GenerateContentRequest.system_instruction.parts: contents.parts must not be empty.");
  }
  let before: JsonObject = {};
  for (const [index, content] of contents.entries()) {
    checkContent(content, index, model);
    checkResults(before, content);
    before = content;
  }
  checkSchemas(body);
  wantedByContents(body);
}

function checkNames(object: JsonObject, known: ReadonlySet<string>, place: string): void {
  const unknown = Object.keys(object).find((name) => !known.has(name));
  if (unknown !== undefined) {
    refuse(`Invalid JSON payload received. Unknown name "${unknown}"${place}: Cannot find field.`);
  }
}

function checkContent(content: JsonObject, index: number, model: string): void {
  const role = content["role"] ?? "user";
  if (role !== "user" && role !== "model") refuse("Please use a valid role: user, model.");
  const parts = objectsField(content, "parts");
  const place = `GenerateContentRequest.contents[${index}].parts`;
  if (parts.length === 0) refuse(`* ${place}: contents.parts must not be empty.`);
  for (const part of parts) {
    const kinds = KINDS.filter((kind) => part[kind] !== undefined);
    if (kinds.length !== 1) refuse(`* ${place}.data: required oneof field 'data' must have one initialized field`);
    checkSignature(part["thoughtSignature"]);
    for (const kind of ["inlineData", "fileData"]) {
      if (isJsonObject(part[kind]) && typeof part[kind]["mimeType"] !== "string")
        refuse(`${place}: mime_type is required`);
    }
  }
  const call = parts.find((part) => part["functionCall"] !== undefined);
  if (role === "model" && call !== undefined && /gemini-[3-9]/.test(model) && call["thoughtSignature"] === undefined) {
    refuse("Function call is missing a thought_signature in functionCall parts.");
  }
}

function checkSignature(signature: unknown): void {
  if (signature === undefined || signature === NO_SIGNATURE || signature === signThought("gemini")) return;
  refuse("Corrupted thought signature.");
}

/** A message of results must answer every call of the previous message, and have nothing else. */
function checkResults(before: JsonObject, content: JsonObject): void {
  const count = (value: JsonObject, kind: string) =>
    objectsField(value, "parts").filter((part) => part[kind] !== undefined).length;
  const calls = count(before, "functionCall");
  const results = count(content, "functionResponse");
  if (calls !== results) {
    refuse(
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
    );
  }
  if (results > 0 && results !== listField(content, "parts").length)
    refuse("A turn of function responses holds nothing else.");
  for (const { functionResponse: response } of objectsField(content, "parts")) {
    if (response === undefined) continue;
    if (!isJsonObject(response) || typeof response["name"] !== "string" || !isJsonObject(response["response"])) {
      refuse("* GenerateContentRequest.contents.parts.function_response.name: Name cannot be empty.");
    }
  }
}

/** `parameters` only accepts Google's own schemas. */
function checkSchemas(body: JsonObject): void {
  for (const tool of objectsField(body, "tools")) {
    for (const declaration of objectsField(tool, "functionDeclarations")) {
      if (typeof declaration["name"] !== "string") refuse("function_declarations.name: Name cannot be empty.");
      const text = JSON.stringify(declaration["parameters"] ?? {});
      if (/"(?:additionalProperties|\$schema)"/.test(text)) {
        refuse(`Invalid JSON payload received. Unknown name "additionalProperties": Cannot find field.`);
      }
    }
  }
}
