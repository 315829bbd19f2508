import { type ChatMessage, type Drop, nativeName } from "../../neutral/chat-request.ts";
import {
  type CacheMark,
  type MessagePart,
  type ReasoningPart,
  type ToolResultPart,
  toolArguments,
} from "../../neutral/message-part.ts";
import { isNamed } from "../../neutral/signature.ts";
import { isRecord, type JsonRecord } from "../../shared/json-fields.ts";
import type { ModelTraits } from "./model-traits.ts";
import { DocumentNames, writeFile, writeImage } from "./write-media.ts";

interface Writing {
  readonly traits: ModelTraits;
  readonly drop: Drop;
  readonly documents: DocumentNames;
}

/**
 * Writes the fields `system` and `messages`. Converse accepts system messages at the beginning only, so later ones move there. Roles must
 * alternate, so adjacent messages of a role are merged.
 */
export function writeConversation(messages: readonly ChatMessage[], traits: ModelTraits, drop: Drop): JsonRecord {
  if (messages.some(({ name }) => name !== "")) drop("messages.name");
  const writing = { traits, drop, documents: new DocumentNames() };
  // A conversation needs a message, so instructions without one become the user's.
  const isAlone = messages.every(({ role }) => role === "system");
  const isSystem = ({ role }: ChatMessage) => role === "system" && !isAlone;
  const system = messages.filter(isSystem).flatMap(({ parts }) => writeTurn(parts, writing));
  const trial = { ...writing, documents: new DocumentNames() };
  const isSaid = ({ parts }: ChatMessage) => parts.some((part) => writeBlock(part, trial).length > 0);
  const spoken = messages.filter((message) => !isSystem(message) && isSaid(message));
  const turns = joinTurns(spoken).map(({ isAnswer, parts }) => ({
    role: isAnswer ? "assistant" : "user",
    content: writeTurn(isAnswer ? parts : resultsFirst(parts), writing),
  }));
  return { system: system.length === 0 ? undefined : system, messages: turns };
}

interface Turn {
  readonly isAnswer: boolean;
  readonly parts: MessagePart[];
}

function joinTurns(messages: readonly ChatMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const { role, parts } of messages) {
    const isAnswer = role === "assistant";
    const last = turns.at(-1);
    if (last?.isAnswer === isAnswer) last.parts.push(...parts);
    else turns.push({ isAnswer, parts: [...parts] });
  }
  return turns;
}

function resultsFirst(parts: readonly MessagePart[]): readonly MessagePart[] {
  const results = parts.filter(({ type }) => type === "tool-result");
  return [...results, ...parts.filter(({ type }) => type !== "tool-result")];
}

/** A message with a document needs a text. */
function writeTurn(parts: readonly MessagePart[], writing: Writing): readonly JsonRecord[] {
  const blocks = parts.flatMap((part) => writeBlock(part, writing));
  const document = blocks.find((block) => block.document !== undefined)?.document;
  const isMute = document !== undefined && blocks.every((block) => block.text === undefined);
  return isMute && isRecord(document) ? [...blocks, { text: document.name }] : blocks;
}

function writeBlock(part: MessagePart, writing: Writing): readonly JsonRecord[] {
  const { traits, drop } = writing;
  const cached = "cache" in part ? writeCachePoint(part.cache, traits, drop) : [];
  switch (part.type) {
    // Bedrock refuses texts of white space only.
    case "text":
    case "refusal":
      return part.text.trim() === "" ? [] : [{ text: part.text }, ...cached];
    case "image":
      return [writeImage(part, drop), ...cached];
    case "file":
      return [...writeFile(part, writing.documents, drop), ...cached];
    case "audio":
      return [{ audio: { format: part.encoding, source: { bytes: part.data } } }];
    case "tool-call":
      return [{ toolUse: { toolUseId: part.id, name: part.name, input: toolArguments(part.input) } }, ...cached];
    case "tool-result":
      return [{ toolResult: writeResult(part, writing) }, ...cached];
    case "reasoning":
      return writeThought(part, writing);
    case "hidden-reasoning":
      return traits.isClaude && !isNamed(part.data) ? [{ reasoningContent: { redactedContent: part.data } }] : [];
    case "native":
      drop(`messages.${nativeName(part.value)}`);
      return [];
  }
}

/** Only Claude accepts thoughts back, and only those that it signed. */
function writeThought({ text, signature }: ReasoningPart, { traits, drop }: Writing): readonly JsonRecord[] {
  if (traits.isClaude && signature !== "" && !isNamed(signature)) {
    return [{ reasoningContent: { reasoningText: { text, signature } } }];
  }
  if (text !== "") drop("messages.reasoning");
  return [];
}

function writeResult({ callId, content, isError }: ToolResultPart, writing: Writing): JsonRecord {
  const blocks = content.flatMap((part) => writeBlock({ ...part, cache: undefined }, writing));
  return { toolUseId: callId, content: blocks, ...(isError && { status: "error" }) };
}

/** Content before this point may be cached. */
export function writeCachePoint(
  mark: CacheMark | undefined,
  { caches }: ModelTraits,
  drop: Drop,
): readonly JsonRecord[] {
  if (mark === undefined) return [];
  if (caches === "no") {
    drop("cache_control");
    return [];
  }
  return [{ cachePoint: { type: "default", ...(caches === "as-marked" && mark === "1h" && { ttl: mark }) } }];
}
