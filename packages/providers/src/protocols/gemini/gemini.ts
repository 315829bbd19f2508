import type { FieldEdits, Format, RequestEdits } from "../../format.ts";
import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import type { NameRule } from "../../neutral/fit/name-rule.ts";
import { type JsonRecord, numberOf, recordOf } from "../../shared/json-fields.ts";
import { readAnswer, writeAnswer } from "./answer.ts";
import { GeminiStreamDecoder } from "./decode-stream.ts";
import { GeminiStreamEncoder } from "./encode-stream.ts";
import { EXACT_FIELDS, listField, recordField, snakeCase } from "./fields.ts";
import { promptParts } from "./prompt-parts.ts";
import { carriesError, readError } from "./read-error.ts";
import { readRequest } from "./read-request.ts";
import { GeminiStreamMeter, textOfAnswer } from "./stream-meter.ts";
import { unseal } from "./thoughts/unseal.ts";
import { readUsage } from "./usage.ts";
import { writeRequest } from "./write-request.ts";

/** The stricter of Google's two rules. Source: https://ai.google.dev/api/caching#FunctionDeclaration */
const NAMES: NameRule = {
  maxLength: 64,
  pattern: /^[a-zA-Z_][\w.-]{0,63}$/,
  refused: /[^\w.-]/g,
  beginsWithLetter: true,
};

/** Some of Google's clients fail at comments and at empty lines, so a keep-alive is a chunk without text. */
const EMPTY_CHUNK = writeServerSentEvent(
  "",
  JSON.stringify({ candidates: [{ content: { parts: [{ text: "" }], role: "model" }, index: 0 }] }),
);

/** The URL holds the model and the streaming flag. Source: https://ai.google.dev/api/generate-content */
export const geminiContent: Format = {
  name: "gemini-content",
  edit,
  unseal,
  systemPromptEffect: (body) => (hasSystem(body) ? "replaced" : "added"),
  promptParts,
  meter: (options) => new GeminiStreamMeter(options),
  readUsage,
  carriesError,
  // A blocked prompt has no candidates.
  results: { candidates: "list", promptFeedback: "record", totalTokens: "any" },
  readCount: (answer) => numberOf(recordOf(answer).totalTokens),
  answerText: textOfAnswer,
  readError,
  // The event with the finish reason is the last one, and is buffered until the charge is committed.
  closing: "",
  exactFields: EXACT_FIELDS,
  keepAlive: EMPTY_CHUNK,
  errorEvent: (errorJson) => writeServerSentEvent("", errorJson),
  chat: {
    limits: { toolNames: NAMES, callIds: undefined, hasObjectTools: true, hasObjectAnswers: false },
    readRequest,
    writeRequest,
    readAnswer,
    writeAnswer,
    decode: () => new GeminiStreamDecoder(),
    encode: (envelope) => new GeminiStreamEncoder(envelope),
  },
};

function edit(body: JsonRecord, edits: RequestEdits): FieldEdits {
  const fields = new Map<string, string>();
  if (body.model !== undefined) fields.set("model", JSON.stringify(`models/${edits.model}`));
  if (edits.systemPrompt !== "") {
    fields.set(nameIn(body, "systemInstruction"), JSON.stringify({ parts: [{ text: edits.systemPrompt }] }));
  }
  if (edits.maxTokens !== undefined) {
    const config = recordField(body, "generationConfig");
    const limited = { ...config, [nameIn(config, "maxOutputTokens")]: edits.maxTokens };
    fields.set(nameIn(body, "generationConfig"), JSON.stringify(limited));
  }
  return fields;
}

function nameIn(record: JsonRecord, name: string): string {
  return record[snakeCase(name)] === undefined ? name : snakeCase(name);
}

function hasSystem(body: JsonRecord): boolean {
  return listField(recordField(body, "systemInstruction"), "parts").length > 0;
}
