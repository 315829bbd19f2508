import type { FieldEdits, Format, FormatName, RequestEdits, SystemPromptEffect } from "../../format.ts";
import type { ChatSide } from "../../format-sides.ts";
import { COMMENT, writeServerSentEvent } from "../../framing/server-sent-event.ts";
import { isOwnModelOfOpenAi } from "../../models/own-models-of-openai.ts";
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { completionText } from "./delta-text.ts";
import { openAiEmbeddings } from "./embeddings.ts";
import { promptTexts } from "./prompt-texts.ts";
import { carriesError, readError } from "../read-error.ts";
import { readUsage } from "./read-usage.ts";
import { atTier } from "./service-tier.ts";
import { mendVectors } from "./vector-encoding.ts";
import { writeUsageChunk } from "./write-usage.ts";
import { END_MARK, OpenAiStreamMeter } from "./stream-meter.ts";

/**
 * Field for the token limit. `either`: it is unknown which one the server reads, so it receives both. OpenAI's own
 * models refuse two limits and receive the newer one.
 */
type LimitField = "max_completion_tokens" | "max_tokens" | "either";

export interface OpenAiRequestVariant {
  readonly limitField: LimitField;
  readonly refusesTwoLimits?: true;
  /** `on-request`: streams report usage if `stream_options` asks; `always`: they always do and may refuse the field. */
  readonly streamUsage: "on-request" | "always";
  /** False: the chat refuses the role `developer` and receives `system`. Absent: it accepts both. */
  readonly developerRole?: boolean;
}

/** For formats without token limits and usage options. */
export const MEDIA: OpenAiRequestVariant = { limitField: "max_tokens", streamUsage: "always" };

const EXACT_FIELDS: ReadonlySet<string> = new Set(["parameters", "schema", "arguments"]);

/** Chat and OpenAI's smaller formats. Source: https://platform.openai.com/docs/api-reference */
export function openAiFormat(name: FormatName, variant: OpenAiRequestVariant, chat?: ChatSide): Format {
  return {
    name,
    chat,
    ...(name === "openai-embeddings" && { embeddings: openAiEmbeddings, mendAnswer: mendVectors }),
    ...((name === "openai-chat" || name === "openai-completions") && {
      usageEvent: writeUsageChunk,
      keepAlive: COMMENT,
    }),
    edit: (body, edits) => editOpenAi(body, edits, name === "openai-chat", variant),
    ...(variant.developerRole === false && { rewritesWhole: hasDeveloper }),
    systemPromptEffect: (body) => (name === "openai-chat" ? effectOfSystemPrompt(body) : undefined),
    promptParts: promptTexts,
    meter: (options) => new OpenAiStreamMeter(options),
    readUsage: (answer) => atTier(readUsage(answer), answer),
    carriesError: (answer) => carriesError(answer) || saysNothing(answer),
    results: RESULTS.get(name),
    ...(chat !== undefined && { exactFields: EXACT_FIELDS }),
    answerText: completionText,
    readError,
    closing: writeServerSentEvent("", END_MARK),
    errorEvent: (errorJson) => writeServerSentEvent("", errorJson),
  };
}

function editOpenAi(body: JsonRecord, edits: RequestEdits, isChat: boolean, variant: OpenAiRequestVariant): FieldEdits {
  const { developerRole = true } = variant;
  const fields = new Map<string, string | undefined>();
  if (edits.model !== body.model) fields.set("model", JSON.stringify(edits.model));
  const renamesRoles = isChat && !developerRole && hasDeveloper(body);
  if (isChat && (edits.systemPrompt !== "" || renamesRoles)) {
    const messages = edits.systemPrompt === "" ? listOf(body.messages) : withSystemPrompt(body, edits.systemPrompt);
    fields.set("messages", JSON.stringify(renamesRoles ? messages.map(asSystem) : messages));
  }
  if (edits.reportUsage && variant.streamUsage === "on-request") {
    fields.set("stream_options", JSON.stringify({ ...recordOf(body.stream_options), include_usage: true }));
  }
  if (isChat) editChatLimits(fields, body, edits, variant);
  else if (edits.maxTokens !== undefined) setLimits(fields, body, edits.maxTokens, ["max_tokens"]);
  return fields;
}

/**
 * Writes the limit into every field that the server may read. A server that ignores the field would generate without a
 * limit.
 */
function editChatLimits(
  fields: Map<string, string | undefined>,
  body: JsonRecord,
  { maxTokens, model }: RequestEdits,
  { limitField, refusesTwoLimits }: OpenAiRequestVariant,
): void {
  const [older, newer] = [numberOf(body.max_tokens), numberOf(body.max_completion_tokens)];
  const limit = maxTokens ?? newer ?? older;
  if (limit === undefined || (maxTokens === undefined && older !== undefined && newer !== undefined)) return;
  const needed = limitFields(limitField, model);
  // Servers that read the newer field also read the older one if it is alone.
  const isKnown = older !== undefined && !needed.includes("max_tokens");
  setLimits(fields, body, limit, isKnown ? [] : needed);
  if (refusesTwoLimits === true && newer !== undefined) fields.set("max_completion_tokens", undefined);
}

function setLimits(
  fields: Map<string, string | undefined>,
  body: JsonRecord,
  limit: number,
  needed: readonly string[],
): void {
  for (const name of LIMIT_FIELDS) {
    const isWritten = typeof body[name] === "number";
    if (isWritten ? body[name] !== limit : needed.includes(name)) fields.set(name, String(limit));
  }
}

const LIMIT_FIELDS = ["max_completion_tokens", "max_tokens"] as const;

export function limitFields(limitField: LimitField, model: string): readonly Exclude<LimitField, "either">[] {
  if (limitField !== "either") return [limitField];
  return isOwnModelOfOpenAi(model) ? ["max_completion_tokens"] : LIMIT_FIELDS;
}

const RESULTS: ReadonlyMap<FormatName, Format["results"]> = new Map([
  ["openai-chat", { choices: "list" }],
  ["openai-completions", { choices: "list" }],
  ["openai-embeddings", { data: "list" }],
  ["openai-moderations", { results: "list" }],
]);

/** True for choices without content and finish reason, which faulty providers send. Another channel may succeed. */
function saysNothing(answer: unknown): boolean {
  const choices = listOf(recordOf(answer).choices).map(recordOf);
  return choices.length > 0 && choices.every(isBlank);
}

function isBlank({ finish_reason: reason, text, message }: JsonRecord): boolean {
  const said = Object.entries(recordOf(message)).filter(([name]) => name !== "role");
  return textOf(reason) === "" && textOf(text) === "" && said.every(([, value]) => isNothing(value));
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

function hasDeveloper({ messages }: JsonRecord): boolean {
  return listOf(messages).some((message) => recordOf(message).role === "developer");
}

function asSystem(message: unknown): unknown {
  const record = recordOf(message);
  return record.role === "developer" ? { ...record, role: "system" } : message;
}

/** The channel's system prompt replaces a leading system message, else is put first. */
function effectOfSystemPrompt(body: JsonRecord): SystemPromptEffect {
  const { role } = recordOf(listOf(body.messages)[0]);
  return role === "system" || role === "developer" ? "replaced" : "added";
}

function withSystemPrompt(body: JsonRecord, systemPrompt: string): unknown[] {
  const messages = listOf(body.messages);
  if (effectOfSystemPrompt(body) === "added") return [{ role: "system", content: systemPrompt }, ...messages];
  return [{ ...recordOf(messages[0]), content: systemPrompt }, ...messages.slice(1)];
}
