import type { FieldEdits, Format, RequestEdits } from "../../format.ts";
import { writeServerSentEvent } from "../../framing/server-sent-event.ts";
import { NAMES_OF_128, NAMES_OF_64 } from "../../neutral/fit/name-rule.ts";
import { type JsonRecord, listOf, numberOf, recordOf } from "../../shared/json-fields.ts";
import { readAnswer, wantsThoughts, writeAnswer } from "./answer.ts";
import { AnthropicStreamDecoder } from "./decode-stream.ts";
import { AnthropicStreamEncoder, PING } from "./encode-stream.ts";
import { promptParts } from "./prompt-parts.ts";
import { carriesError, readError } from "./read-error.ts";
import { EXACT_FIELDS } from "./read-parts.ts";
import { readRequest } from "./read-request.ts";
import { AnthropicStreamMeter, textOfBlock } from "./stream-meter.ts";
import { unseal } from "./unseal.ts";
import { readAnswerUsage } from "./usage.ts";
import { writeRequest } from "./write-request.ts";

/**
 * Anthropic's Messages API. The version decides how translated answers are written. Source:
 * https://docs.anthropic.com/en/api/messages
 */
export function anthropicMessages(version: string): Format {
  return {
    name: "anthropic-messages",
    edit,
    unseal,
    systemPromptEffect: (body) => (hasSystem(body) ? "replaced" : "added"),
    promptParts,
    meter: (options) => new AnthropicStreamMeter(options),
    readUsage: readAnswerUsage,
    carriesError,
    results: { content: "list", input_tokens: "any" },
    endField: "stop_reason",
    exactFields: EXACT_FIELDS,
    readCount: (answer) => numberOf(recordOf(answer).input_tokens),
    answerText: (answer) => listOf(recordOf(answer).content).map(textOfBlock).join(""),
    readError,
    closing: writeServerSentEvent("message_stop", '{"type":"message_stop"}'),
    keepAlive: PING,
    errorEvent: (errorJson) => writeServerSentEvent("error", errorJson),
    chat: {
      limits: { toolNames: NAMES_OF_128, callIds: NAMES_OF_64, hasObjectTools: true, hasObjectAnswers: true },
      readRequest,
      writeRequest: (request) => writeRequest(request, version),
      readAnswer,
      writeAnswer: (answer, { request }) => writeAnswer(answer, version, request),
      decode: () => new AnthropicStreamDecoder(),
      encode: ({ request }) => new AnthropicStreamEncoder(version, wantsThoughts(request)),
    },
  };
}

function edit(body: JsonRecord, edits: RequestEdits): FieldEdits {
  const fields = new Map<string, string>();
  if (edits.model !== body.model) fields.set("model", JSON.stringify(edits.model));
  if (edits.systemPrompt !== "") fields.set("system", JSON.stringify(edits.systemPrompt));
  if (edits.maxTokens !== undefined) fields.set("max_tokens", String(edits.maxTokens));
  return fields;
}

function hasSystem(body: JsonRecord): boolean {
  return typeof body.system === "string" ? body.system !== "" : listOf(body.system).length > 0;
}
