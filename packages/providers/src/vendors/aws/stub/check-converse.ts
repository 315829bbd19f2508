import { isJsonObject, type JsonObject, listField, objectField, objectsField } from "../../../stub-kit/json-fields.ts";
import { refuse } from "../../../stub-kit/refusal.ts";
import { signThought } from "../../../stub-kit/thought.ts";

/** Throws RequestRefused for a request that Converse refuses. Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export function checkConverse(body: JsonObject): void {
  const messages = objectsField(body, "messages");
  for (const name of ["model", "modelId", "stream", "max_tokens"])
    if (body[name] !== undefined) refuse(`Unexpected field ${name}.`);
  if (messages[0]?.["role"] !== "user")
    refuse(
      "A conversation must start with a user message. Try again with a conversation that starts with a user message.",
    );
  for (const [index, { role }] of messages.entries()) {
    if (role !== (index % 2 === 0 ? "user" : "assistant"))
      refuse(
        "A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.",
      );
  }
  const names = new Set<unknown>();
  for (const message of messages) checkBlocks(listField(message, "content"), names);
  for (const block of listField(body, "system")) {
    if (!isJsonObject(block) || (block["text"] === undefined && block["cachePoint"] === undefined))
      refuse("Unknown system block.");
  }
  const blocks = messages.flatMap((message) => objectsField(message, "content"));
  const tools = listField(objectField(body, "toolConfig"), "tools");
  if (blocks.some(({ toolUse }) => toolUse !== undefined) && tools.length === 0)
    refuse("The toolConfig field must be defined when using toolUse and toolResult content blocks.");
  for (const name of ["temperature", "topP"]) {
    const value = objectField(body, "inferenceConfig")[name];
    if (value !== undefined && !(typeof value === "number" && value >= 0 && value <= 1))
      refuse(
        `Value at 'inferenceConfig.${name}' failed to satisfy constraint: Member must have value less than or equal to 1`,
      );
  }
}

function checkBlocks(blocks: readonly unknown[], names: Set<unknown>): void {
  const hasText = blocks.some((block) => isJsonObject(block) && typeof block["text"] === "string");
  for (const block of blocks) {
    if (!isJsonObject(block) || Object.keys(block).length !== 1)
      refuse("ContentBlock must set exactly one of its members.");
    const { text, image, document, toolUse, reasoningContent } = block;
    if (typeof text === "string" && text.trim() === "")
      refuse("The text field in the ContentBlock object is blank. Add text to the text field, and try again.");
    for (const medium of [image, document]) if (isJsonObject(medium)) checkMedium(medium);
    if (isJsonObject(toolUse) && !isJsonObject(toolUse["input"]))
      refuse("The format of the toolUse input is invalid: it must be a JSON object.");
    if (isJsonObject(document)) {
      const name = document["name"];
      if (typeof name !== "string" || !/^(?:[a-zA-Z0-9()[\]-]+ ?)+$/.test(name))
        refuse(
          "The document name can only contain alphanumeric characters, whitespace, hyphens, parentheses, and square brackets.",
        );
      if (names.has(name))
        refuse("Messages contain duplicate document names. Make sure the document names are unique and try again.");
      if (!hasText) refuse("A text block must be included when using documents.");
      names.add(name);
    }
    const thought = isJsonObject(reasoningContent) ? reasoningContent["reasoningText"] : undefined;
    if (isJsonObject(thought) && thought["signature"] !== signThought(String(thought["text"])))
      refuse("Invalid `signature` in `thinking` block");
  }
}

function checkMedium({ format, source }: JsonObject): void {
  const bytes = isJsonObject(source) ? source["bytes"] : undefined;
  if (typeof format !== "string" || !/^\w+$/.test(format)) refuse("The format of the medium is missing.");
  if (typeof bytes !== "string" || !/^[A-Za-z0-9+/]+=*$/.test(bytes))
    refuse("Could not process image: the bytes are no base64.");
}
