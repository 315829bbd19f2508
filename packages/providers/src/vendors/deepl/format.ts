import type { Failure } from "../../failure.ts";
import type { ProviderFormat } from "../../format.ts";
import type { StreamDecoder, WrittenRequest } from "../../format-sides.ts";
import { WHOLE_DOCUMENT } from "../../framing/framing.ts";
import type { ChatAnswer, ChatEvent, Finish } from "../../neutral/chat-answer.ts";
import { type ChatRequest, type Drop, takeForeignFields, UntranslatableError } from "../../neutral/chat-request.ts";
import { dropOptions } from "../../neutral/drop-options.ts";
import { type JsonRecord, listOf, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import {
  carriesError as carriesAnyError,
  readError as readAnyError,
  readStreamError,
} from "../../protocols/read-error.ts";

/**
 * DeepL's translation as a chat: the last message is the text, and the model's name ends with the language. Billed characters count as tokens
 * here. Answers are whole. Source: https://developers.deepl.com/api-reference/translate
 */
export const deepLTranslation: ProviderFormat = {
  name: "deepl-translation",
  framing: WHOLE_DOCUMENT,
  readUsage,
  carriesError,
  readError,
  chat: { writeRequest, readAnswer, decode: () => new DeepLDecoder(), countUsage },
};

const DEFAULT_LANGUAGE = "ZH";
/** Languages with several variants, one of which DeepL requires. Source: CLDR's likely subtags */
const LIKELY_VARIANT: ReadonlyMap<string, string> = new Map([
  ["EN", "EN-US"],
  ["PT", "PT-BR"],
]);

/** Returns the language at the end of a model's name, such as `deepl-pt-PT`; Chinese without one. */
function targetLanguage(model: string): string {
  const dash = model.indexOf("-");
  const language = dash === -1 ? "" : model.slice(dash + 1).toUpperCase();
  return LIKELY_VARIANT.get(language) ?? (language || DEFAULT_LANGUAGE);
}

function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  takeForeignFields(request.foreign, deepLTranslation.name, drop);
  dropOptions(request, new Set(), drop);
  const last = request.messages.at(-1);
  if (request.messages.length > 1) drop("messages");
  for (const part of last?.parts ?? []) if (part.type !== "text") drop(`messages.${part.type}`);
  const text = textToTranslate(request);
  if (text.trim() === "") {
    const message = "The last message holds no text: the model of this request translates one, so put the text there.";
    throw new UntranslatableError("messages", message);
  }
  const body = { text: [text], target_lang: targetLanguage(request.model), show_billed_characters: true };
  return { body, dropped: [...dropped] };
}

function textToTranslate({ messages }: ChatRequest): string {
  const parts = messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}

function usageOf(characters: number): Usage {
  return { ...NO_USAGE, promptTokens: characters };
}

/** DeepL counts Unicode code points. Source: https://developers.deepl.com/docs/resources/usage-limits */
function countUsage(request: ChatRequest): Usage {
  let characters = 0;
  for (const _ of textToTranslate(request)) characters += 1;
  return usageOf(characters);
}

function readUsage(answer: unknown): Usage | undefined {
  let characters: number | undefined;
  for (const translation of listOf(recordOf(answer).translations)) {
    const billed = numberOf(recordOf(translation).billed_characters);
    if (billed !== undefined) characters = (characters ?? 0) + billed;
  }
  return characters === undefined ? undefined : usageOf(characters);
}

/** True for an answer without a translation: errors have a `message` alone. */
function carriesError(answer: unknown): boolean {
  return carriesAnyError(answer) || !Array.isArray(recordOf(answer).translations);
}

const QUOTA_EXCEEDED = 456;

/** Source: https://developers.deepl.com/docs/best-practices/error-handling */
function readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const failure = readAnyError(status, headers, body, now);
  return status === QUOTA_EXCEEDED ? { ...failure, kind: "out-of-credit" } : failure;
}

const FINISH: Finish = { reason: "stop", stopSequence: "" };

function readText(answer: unknown): string {
  return listOf(recordOf(answer).translations)
    .map((translation) => textOf(recordOf(translation).text))
    .join("\n\n");
}

function readAnswer(answer: JsonRecord): ChatAnswer {
  const choice = { parts: [{ type: "text", text: readText(answer) }], finish: FINISH } as const;
  return { id: "", model: "", choices: [choice], usage: readUsage(answer) };
}

class DeepLDecoder implements StreamDecoder {
  read(_name: string, data: string): readonly ChatEvent[] {
    const answer = parseJson(data);
    if (answer === undefined) return [];
    if (carriesError(answer)) return [{ type: "error", failure: readStreamError(data) }];
    const usage = readUsage(answer);
    return [
      { type: "answer-start", id: "", model: "" },
      { type: "text-delta", choice: 0, text: readText(answer) },
      { type: "answer-finish", choice: 0, finish: FINISH },
      ...(usage === undefined ? [] : [{ type: "usage-report", usage } as const]),
      { type: "stream-end" },
    ];
  }
}
