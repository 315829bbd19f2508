import type { FieldEdits, Format, RequestEdits } from "../../format.ts";
import { COMMENT, writeServerSentEvent } from "../../framing/server-sent-event.ts";
import { NAMES_OF_64 } from "../../neutral/fit/name-rule.ts";
import { type JsonRecord, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { carriesError } from "../read-error.ts";
import { readAnswer, readUsage, writeAnswer } from "./answer.ts";
import { ResponsesStreamDecoder } from "./decode-stream.ts";
import { ResponsesStreamEncoder } from "./encode-stream.ts";
import { promptParts } from "./prompt-parts.ts";
import { readError } from "./read-error.ts";
import { readRequest } from "./read-request.ts";
import { readStoredId, ResponsesStreamMeter, textOfResponse } from "./stream-meter.ts";
import { unseal } from "./unseal.ts";
import { writeRequest } from "./write-request.ts";

const EXACT_FIELDS: ReadonlySet<string> = new Set(["parameters", "schema"]);

/** Source: https://platform.openai.com/docs/api-reference/responses */
export const openAiResponses: Format = {
  name: "openai-responses",
  edit,
  unseal,
  systemPromptEffect: (body) => (textOf(body.instructions) === "" ? "added" : "replaced"),
  promptParts,
  meter: (options) => new ResponsesStreamMeter(options),
  readUsage,
  readStoredId,
  carriesError,
  results: { output: "list", input_tokens: "any" },
  endField: "status",
  readCount: (answer) => numberOf(recordOf(answer).input_tokens),
  answerText: textOfResponse,
  readError,
  // The last event repeats the answer, and is buffered until the charge is committed.
  closing: "",
  exactFields: EXACT_FIELDS,
  keepAlive: COMMENT,
  errorEvent,
  chat: {
    limits: { toolNames: NAMES_OF_64, callIds: NAMES_OF_64, hasObjectTools: true, hasObjectAnswers: true },
    readRequest,
    writeRequest,
    readAnswer,
    writeAnswer,
    decode: () => new ResponsesStreamDecoder(),
    encode: (envelope) => new ResponsesStreamEncoder(envelope),
  },
};

function edit(body: JsonRecord, edits: RequestEdits): FieldEdits {
  const fields = new Map<string, string>();
  if (edits.model !== body.model) fields.set("model", JSON.stringify(edits.model));
  if (edits.systemPrompt !== "") fields.set("instructions", JSON.stringify(edits.systemPrompt));
  if (edits.maxTokens !== undefined) fields.set("max_output_tokens", String(edits.maxTokens));
  return fields;
}

/** Errors have their fields beside `type`; some clients read them under `error`. */
function errorEvent(errorJson: string): string {
  const error = recordOf(recordOf(parseJson(errorJson)).error);
  const { code = null, message = "", param = null } = error;
  return writeServerSentEvent(
    "error",
    JSON.stringify({ type: "error", sequence_number: 0, code, message, param, error }),
  );
}
