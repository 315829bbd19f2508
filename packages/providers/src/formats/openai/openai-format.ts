import type { ChatSide, FieldEdits, Format, FormatName, RequestEdits, SystemPromptEffect } from "../../format.ts";
import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { completionText } from "./delta-text.ts";
import { openAiEmbeddings } from "./embeddings.ts";
import { promptTexts } from "./prompt-texts.ts";
import { carriesError, readError } from "../read-error.ts";
import { readUsage } from "./read-usage.ts";
import { atTier } from "./service-tier.ts";
import { mendVectors } from "./vector-encoding.ts";
import { writeUsageChunk } from "./write-usage.ts";
import { END_MARK, OpenAiStreamMeter } from "./stream-meter.ts";

/** A field that limits the length of an answer. */
type LimitField = "max_completion_tokens" | "max_tokens";

/** What providers have of their own in requests of OpenAI's formats. */
export interface OpenAiRequestVariant {
  /** Where a limit is written to, unless the caller has set one. */
  readonly limitField: LimitField;
  /** `on-request`: streams report usage when asked by `stream_options`; `always`: they do anyway and may refuse the field. */
  readonly streamUsage: "on-request" | "always";
  /** False: its chat refuses the role `developer`, and gets `system` instead. Absent: it knows both. */
  readonly developerRole?: boolean;
}

/** Of what neither limits an answer nor asks for its usage. */
export const MEDIA: OpenAiRequestVariant = { limitField: "max_tokens", streamUsage: "always" };

/** One of OpenAI's formats: chat, and what is older or smaller. Source: https://platform.openai.com/docs/api-reference */
export function openAiFormat(name: FormatName, variant: OpenAiRequestVariant, chat?: ChatSide): Format {
  return {
    name,
    chat,
    ...(name === "openai-embeddings" && { embeddings: openAiEmbeddings, mendAnswer: mendVectors }),
    ...((name === "openai-chat" || name === "openai-completions") && { usageEvent: writeUsageChunk }),
    edit: (body, edits) => editOpenAi(body, edits, name === "openai-chat", variant),
    ...(variant.developerRole === false && { rewritesWhole: hasDeveloper }),
    systemPromptEffect: (body) => (name === "openai-chat" ? effectOfSystemPrompt(body) : undefined),
    promptParts: promptTexts,
    meter: (options) => new OpenAiStreamMeter(options),
    readUsage: (answer) => atTier(readUsage(answer), answer),
    carriesError: (answer) => carriesError(answer) || saysNothing(answer),
    results: RESULTS.get(name),
    answerText: completionText,
    readError,
    closing: writeServerSentEvent("", END_MARK),
    errorEvent: (errorJson) => writeServerSentEvent("", errorJson),
  };
}

function editOpenAi(
  body: JsonRecord,
  edits: RequestEdits,
  isChat: boolean,
  { limitField, streamUsage, developerRole = true }: OpenAiRequestVariant,
): FieldEdits {
  const fields = new Map<string, string>();
  if (edits.model !== body.model) fields.set("model", JSON.stringify(edits.model));
  const renamesRoles = isChat && !developerRole && hasDeveloper(body);
  if (isChat && (edits.systemPrompt !== "" || renamesRoles)) {
    const messages = edits.systemPrompt === "" ? listOf(body.messages) : withSystemPrompt(body, edits.systemPrompt);
    fields.set("messages", JSON.stringify(renamesRoles ? messages.map(asSystem) : messages));
  }
  if (edits.reportUsage && streamUsage === "on-request") {
    fields.set("stream_options", JSON.stringify({ ...recordOf(body.stream_options), include_usage: true }));
  }
  const [has, hasNewer] = [typeof body.max_tokens === "number", typeof body.max_completion_tokens === "number"];
  if (edits.maxTokens !== undefined) {
    const limit = String(edits.maxTokens);
    if (hasNewer) fields.set("max_completion_tokens", limit);
    if (has) fields.set("max_tokens", limit);
    if (!has && !hasNewer) fields.set(limitField, limit);
  } else if (isChat && limitField === "max_tokens" && hasNewer && !has) {
    // Who does not know the newer field would write without any limit.
    fields.set(limitField, String(body.max_completion_tokens));
  }
  return fields;
}

const RESULTS: ReadonlyMap<FormatName, Format["results"]> = new Map([
  ["openai-chat", { choices: "list" }],
  ["openai-completions", { choices: "list" }],
  ["openai-embeddings", { data: "list" }],
  ["openai-moderations", { results: "list" }],
]);

/** Choices that hold nothing and name no end, which providers at fault send: another channel may do better. */
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

/** The message with the older name of its role. */
function asSystem(message: unknown): unknown {
  const record = recordOf(message);
  return record.role === "developer" ? { ...record, role: "system" } : message;
}

/** The channel's system prompt takes the place of a system message at the front, or goes before everything. */
function effectOfSystemPrompt(body: JsonRecord): SystemPromptEffect {
  const { role } = recordOf(listOf(body.messages)[0]);
  return role === "system" || role === "developer" ? "replaced" : "added";
}

function withSystemPrompt(body: JsonRecord, systemPrompt: string): unknown[] {
  const messages = listOf(body.messages);
  if (effectOfSystemPrompt(body) === "added") return [{ role: "system", content: systemPrompt }, ...messages];
  return [{ ...recordOf(messages[0]), content: systemPrompt }, ...messages.slice(1)];
}
