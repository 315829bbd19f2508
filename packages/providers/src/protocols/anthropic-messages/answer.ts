import type { ChatAnswer, ChatChoice, Finish, FinishReason } from "../../neutral/chat-answer.ts";
import { type MessagePart, type ReasoningPart, shownText } from "../../neutral/message-part.ts";
import { sealBeside, sealThoughts, type Thought } from "../../neutral/sealed-thoughts.ts";
import { isLooseSignature, isNamed } from "../../neutral/signature.ts";
import { parseObject } from "../../shared/exact-numbers.ts";
import { type JsonRecord, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE } from "../../usage.ts";
import { readContent } from "./read-parts.ts";
import { NEWER_VERSION, readAnswerUsage, writeUsage } from "./usage.ts";

/** Source: https://docs.anthropic.com/en/api/messages */
export function readAnswer(answer: JsonRecord): ChatAnswer {
  const choice: ChatChoice = {
    parts: readContent(answer.content),
    finish: readFinish(answer) ?? { reason: "stop", stopSequence: "" },
  };
  return {
    id: textOf(answer.id),
    model: textOf(answer.model),
    choices: [choice],
    usage: readAnswerUsage(answer),
  };
}

const reasons = new Map<string, FinishReason>([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "context"],
  ["tool_use", "tool-calls"],
  ["refusal", "refusal"],
  ["pause_turn", "pause"],
  ["compaction", "pause"],
]);

/** Reads the stop reason of an answer or a delta; undefined before the end. Unknown reasons count as `stop`. */
export function readFinish(answer: JsonRecord): Finish | undefined {
  const reason = textOf(answer.stop_reason);
  if (reason === "") return undefined;
  return { reason: reasons.get(reason) ?? "stop", stopSequence: textOf(answer.stop_sequence) };
}

const names: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  context: "model_context_window_exceeded",
  "tool-calls": "tool_use",
  refusal: "refusal",
  pause: "pause_turn",
  // The only reason that marks an answer as incomplete.
  failed: "max_tokens",
};

/**
 * Answers with calls are always `tool_use`, even if another provider reports otherwise. The older version has no
 * reason for a full context window.
 */
export function writeFinish(finish: Finish, hasCalls: boolean, version: string): JsonRecord {
  const { reason, stopSequence } = finish;
  const meant = reason === "stop" && hasCalls ? "tool-calls" : reason;
  const stop_reason =
    meant === "stop" && stopSequence !== ""
      ? "stop_sequence"
      : meant === "context" && version !== NEWER_VERSION
        ? names.length
        : names[meant];
  return {
    stop_reason,
    stop_sequence: stopSequence === "" ? null : stopSequence,
    ...(version === NEWER_VERSION && { stop_details: null, container: null }),
  };
}

/** True if the caller has enabled thinking and accepts its blocks. */
export function wantsThoughts(request: JsonRecord): boolean {
  const { type } = recordOf(request.thinking);
  return type !== undefined && type !== "disabled";
}

/** Writes a whole answer in the version. Only the first choice is written: requests cannot ask for more. */
export function writeAnswer(answer: ChatAnswer, version: string, request: JsonRecord): JsonRecord {
  const { parts, finish } = answer.choices[0] ?? { parts: [], finish: { reason: "stop", stopSequence: "" } };
  const hasCalls = parts.some((part) => part.type === "tool-call");
  return {
    id: writeId(answer.id),
    type: "message",
    role: "assistant",
    model: answer.model,
    content: parts.flatMap((part, index) => {
      const isNeeded = parts[index + 1]?.type === "tool-call" || wantsThoughts(request);
      return isLooseSignature(part) && !isNeeded ? [] : writeAnswerBlock(part, version);
    }),
    ...writeFinish(finish, hasCalls, version),
    ...(version === NEWER_VERSION && { diagnostics: null }),
    usage: writeUsage(answer.usage ?? NO_USAGE, version),
  };
}

export function writeId(id: string): string {
  return id.startsWith("msg_") ? id : `msg_${id}`;
}

function writeAnswerBlock(part: MessagePart, version: string): readonly JsonRecord[] {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text === "" ? [] : [textBlock(part.text, version)];
    case "image":
      return [textBlock(shownText(part) ?? "", version)];
    case "reasoning":
      return [thoughtBlock(part)];
    case "hidden-reasoning":
      return [hiddenBlock(part)];
    case "tool-call":
      return [callBlock(part.id, part.name, parseObject(part.input) ?? {}, version)];
    default:
      return [];
  }
}

/** Clients drop thoughts that lack a signature or a text, so all but Anthropic's own are sealed. */
function thoughtBlock(part: ReasoningPart): JsonRecord {
  if (isLooseSignature(part)) return hiddenBlock(part);
  const isOwn = part.signature !== "" && !isNamed(part.signature);
  return { type: "thinking", thinking: part.text, signature: isOwn ? part.signature : sealBeside(part) };
}

/** A block for a thought without visible text. Anthropic's own hidden thoughts are unchanged, all others sealed. */
export function hiddenBlock(thought: Thought): JsonRecord {
  const isOwn = thought.type === "hidden-reasoning" && !isNamed(thought.data);
  return { type: "redacted_thinking", data: isOwn ? thought.data : sealThoughts([thought]) };
}

export function textBlock(text: string, version: string): JsonRecord {
  return { type: "text", text, ...(version === NEWER_VERSION && { citations: null }) };
}

export function callBlock(id: string, name: string, input: JsonRecord, version: string): JsonRecord {
  const caller = version === NEWER_VERSION ? { caller: { type: "direct" } } : {};
  return { type: "tool_use", id, name, input, ...caller };
}
