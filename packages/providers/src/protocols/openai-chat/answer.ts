import type { AnswerEnvelope } from "../../format-sides.ts";
import type { ChatAnswer, ChatChoice, Finish, FinishReason } from "../../neutral/chat-answer.ts";
import { type MessagePart, shownText } from "../../neutral/message-part.ts";
import { isProof } from "../../neutral/signature.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { readUsage } from "../openai/read-usage.ts";
import { atTier } from "../openai/service-tier.ts";
import { writeUsage } from "../openai/write-usage.ts";
import { readLogprobs, writeLogprobs } from "../openai/logprobs.ts";
import { fieldSignature, readContent, readThoughts, readThoughtText, readToolCalls } from "./read-parts.ts";
import { writeDetails } from "./reasoning-details.ts";
import { writeCalls } from "./write-parts.ts";

/** Reads a whole answer, with deviations of other vendors. */
export function readAnswer(answer: JsonRecord, origin = ""): ChatAnswer {
  return {
    id: textOf(answer.id),
    model: textOf(answer.model),
    choices: listOf(answer.choices)
      .map(recordOf)
      .map((choice) => readChoice(choice, origin)),
    usage: atTier(readUsage(answer), answer),
  };
}

function readChoice(choice: JsonRecord, origin: string): ChatChoice {
  const message = recordOf(choice.message);
  const refusal = textOf(message.refusal);
  const signature = fieldSignature(origin, readThoughtText(message).field);
  const thoughts = readThoughts(message).map((thought) =>
    thought.type === "reasoning" && thought.signature === "" ? { ...thought, signature } : thought,
  );
  const calls = readToolCalls(message, thoughts);
  const hasCalls = calls.length > 0;
  const parts: readonly MessagePart[] = [
    ...thoughts,
    ...readContent(message.content),
    ...(refusal === "" ? [] : [{ type: "refusal", text: refusal } as const]),
    ...calls,
  ];
  const finish = readFinish(choice.finish_reason) ?? finishOf(hasCalls ? "tool-calls" : "stop");
  const logprobs = readLogprobs(choice.logprobs);
  return { parts, finish, ...(logprobs !== undefined && { logprobs }) };
}

const reasons = new Map<string, FinishReason>([
  ["stop", "stop"],
  ["length", "length"],
  ["model_length", "context"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["content_filter", "refusal"],
  // Zhipu.
  ["sensitive", "refusal"],
  ["model_context_window_exceeded", "context"],
  ["network_error", "failed"],
  // Mistral and OpenRouter.
  ["error", "failed"],
  // DeepSeek.
  ["insufficient_system_resource", "failed"],
  // Google, for an unreadable call.
  ["function_call_filter", "failed"],
]);

/** Finish reason; undefined before the end. Unknown reasons count as `stop`. Google's detail after a colon is ignored. */
export function readFinish(reason: unknown): Finish | undefined {
  const [text = ""] = textOf(reason).split(":");
  return text === "" ? undefined : finishOf(reasons.get(text) ?? "stop");
}

function finishOf(reason: FinishReason): Finish {
  return { reason, stopSequence: "" };
}

const names: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "length",
  context: "length",
  "tool-calls": "tool_calls",
  refusal: "content_filter",
  pause: "stop",
  failed: "length",
};

/** Finish reason in OpenAI's words. Only `length` marks an answer as incomplete. */
export function writeFinish({ reason }: Finish, { request }: AnswerEnvelope): string {
  return reason === "tool-calls" && namesFunctions(request) ? "function_call" : names[reason];
}

/** True for a caller of the deprecated `functions`, which receives at most one call and no call id. */
export function namesFunctions({ functions, tools }: JsonRecord): boolean {
  return listOf(functions).length > 0 && listOf(tools).length === 0;
}

/** Source: https://platform.openai.com/docs/api-reference/chat/object */
export function writeAnswer(answer: ChatAnswer, envelope: AnswerEnvelope): JsonRecord {
  return {
    id: writeId(answer.id),
    object: "chat.completion",
    created: envelope.created,
    model: answer.model,
    choices: answer.choices.map(({ parts, finish, logprobs }, index) => ({
      index,
      message: writeMessage(parts, envelope.request),
      logprobs: writeLogprobs(logprobs),
      finish_reason: writeFinish(finish, envelope),
    })),
    usage: answer.usage === undefined ? undefined : writeUsage(answer.usage),
  };
}

export function writeId(id: string): string {
  return id.startsWith("chatcmpl") ? id : `chatcmpl-${id}`;
}

function writeMessage(parts: readonly MessagePart[], request: JsonRecord): JsonRecord {
  const textsOf = (type: "refusal" | "reasoning") =>
    parts.flatMap((part) => (part.type === type && "text" in part ? [part.text] : [])).join("");
  const calls = writeCalls(parts, true);
  const text = parts.map((part) => shownText(part) ?? "").join("");
  const refusal = textsOf("refusal");
  const thought = textsOf("reasoning");
  const details = parts.some(isSigned) ? writeDetails(parts) : [];
  return {
    role: "assistant",
    content: text === "" && (calls.length > 0 || refusal !== "") ? null : text,
    refusal: refusal === "" ? null : refusal,
    ...(thought !== "" && { reasoning_content: thought }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 &&
      (namesFunctions(request) ? { function_call: recordOf(calls[0]).function } : { tool_calls: calls })),
  };
}

function isSigned(part: MessagePart): boolean {
  return part.type === "hidden-reasoning" || (part.type === "reasoning" && isProof(part.signature));
}
