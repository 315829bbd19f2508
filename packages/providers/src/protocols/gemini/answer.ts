import type { AnswerEnvelope } from "../../format-sides.ts";
import type { ChatAnswer, ChatChoice, Finish, FinishReason } from "../../neutral/chat-answer.ts";
import { type MessagePart, toolArguments } from "../../neutral/message-part.ts";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { recordField } from "./fields.ts";
import { readLogprobs, writeLogprobs } from "./logprobs.ts";
import { PartSignature } from "./thoughts/part-signature.ts";
import { readParts } from "./read-parts.ts";
import { readUsage, writeUsage } from "./usage.ts";
import { writeMedium } from "./write-contents.ts";

/**
 * Reads a whole answer. A blocked prompt becomes a refusal. Source:
 * https://ai.google.dev/api/generate-content#generatecontentresponse
 */
export function readAnswer(answer: JsonRecord): ChatAnswer {
  const candidates = listOf(answer.candidates).filter(isRecord);
  return {
    id: textOf(answer.responseId),
    model: textOf(answer.modelVersion),
    choices:
      candidates.length === 0
        ? [{ parts: [], finish: { reason: isBlocked(answer) ? "refusal" : "failed", stopSequence: "" } }]
        : candidates.map(readCandidate),
    usage: readUsage(answer),
  };
}

function readCandidate(candidate: JsonRecord): ChatChoice {
  const parts = joinTexts(readParts(recordOf(candidate.content)));
  const finish = readFinish(candidate, parts.some(isCall)) ?? { reason: "stop", stopSequence: "" };
  const logprobs = readLogprobs(candidate);
  return { parts, finish, ...(logprobs !== undefined && { logprobs }) };
}

/** Joins adjacent texts, which Gemini cuts anywhere. A signature between them moves behind them. */
function joinTexts(parts: readonly MessagePart[]): readonly MessagePart[] {
  const joined: MessagePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isBetween = part.type === "text" && last?.type === "reasoning" && last.text === "";
    const before = isBetween ? joined.at(-2) : last;
    if (part.type !== "text" || before?.type !== "text") joined.push(part);
    else joined[joined.indexOf(before)] = { ...before, text: before.text + part.text };
  }
  return joined;
}

function isCall(part: MessagePart): boolean {
  return part.type === "tool-call";
}

export function isBlocked(answer: JsonRecord): boolean {
  return textOf(recordOf(answer.promptFeedback).blockReason) !== "";
}

const reasons = new Map<string, FinishReason>([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["CONTINUATION", "pause"],
  ["SAFETY", "refusal"],
  ["RECITATION", "refusal"],
  ["LANGUAGE", "refusal"],
  ["BLOCKLIST", "refusal"],
  ["PROHIBITED_CONTENT", "refusal"],
  ["SPII", "refusal"],
  ["IMAGE_SAFETY", "refusal"],
  ["IMAGE_PROHIBITED_CONTENT", "refusal"],
  ["IMAGE_RECITATION", "refusal"],
  ["MODEL_ARMOR", "refusal"],
]);

/**
 * Finish reason; undefined before the end. Gemini does not report `tool-calls`, so calls decide it. Reasons missing
 * above (MALFORMED_FUNCTION_CALL, UNEXPECTED_TOOL_CALL, OTHER …) are failures.
 */
export function readFinish(candidate: JsonRecord, hasCalls: boolean): Finish | undefined {
  const text = textOf(candidate.finishReason);
  if (text === "" || text === "FINISH_REASON_UNSPECIFIED") return undefined;
  const reason = reasons.get(text) ?? "failed";
  return { reason: reason === "stop" && hasCalls ? "tool-calls" : reason, stopSequence: "" };
}

const names: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  context: "MAX_TOKENS",
  "tool-calls": "STOP",
  refusal: "SAFETY",
  pause: "STOP",
  failed: "OTHER",
};

export function writeFinish({ reason }: Finish): string {
  return names[reason];
}

export function writeAnswer(answer: ChatAnswer, { request }: AnswerEnvelope): JsonRecord {
  const showsThoughts = wantsThoughts(request);
  return {
    candidates: answer.choices.map(({ parts, finish, logprobs }, index) => ({
      content: { parts: writeParts(parts, showsThoughts), role: "model" },
      finishReason: writeFinish(finish),
      index,
      ...writeLogprobs(logprobs),
    })),
    ...(answer.usage !== undefined && { usageMetadata: writeUsage(answer.usage) }),
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

export function wantsThoughts(request: JsonRecord): boolean {
  const thinking = recordField(recordField(request, "generationConfig"), "thinkingConfig");
  return (thinking.includeThoughts ?? thinking.include_thoughts) === true;
}

function writeParts(parts: readonly MessagePart[], showsThoughts: boolean): readonly JsonRecord[] {
  const written: JsonRecord[] = [];
  const signature = new PartSignature();
  const add = (part: JsonRecord) => written.push(signature.on(part));
  for (const part of parts) {
    switch (part.type) {
      case "text":
      case "refusal":
        add({ text: part.text });
        break;
      case "reasoning":
        if (showsThoughts && part.text !== "") written.push({ text: part.text, thought: true });
        signature.addText(part.text);
        signature.addSignature(part.signature);
        break;
      case "hidden-reasoning":
        signature.addHidden(part.data);
        break;
      case "tool-call":
        add({ functionCall: { id: part.id, name: part.name, args: toolArguments(part.input) } });
        break;
      case "image":
      case "file":
        add(writeMedium(part));
        break;
      default:
    }
  }
  const last = signature.on({ text: "" });
  return last.thoughtSignature === undefined ? written : [...written, last];
}
