import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format, ProviderFormat } from "@one-api/providers/format";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { baiduChat } from "@one-api/providers/vendors/baidu/format";
import { cohereChat } from "@one-api/providers/protocols/cohere/cohere";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { ollamaChat } from "@one-api/providers/vendors/ollama/format";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import type { JsonRecord } from "@one-api/providers/shared/json-fields";
import { hunyuanChat } from "@one-api/providers/vendors/hunyuan/format";
import { sparkChat } from "@one-api/providers/vendors/spark/format";
import { ownRequest } from "../dialects/index.ts";
import { createPassThrough } from "./pass-through.ts";
import { createThroughNeutral } from "./through-neutral.ts";
import type { Translation } from "./translation.ts";

const openai = openAiChat();
const anthropic = anthropicMessages("2023-06-01");
const countText = (text: string) => text.length;
const parsed = ownRequest("chat-completions", {
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  stream: true,
});

const event = (data: JsonRecord, name = "") =>
  `${name === "" ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const WORDS = "This model's maximum context length is 40960 tokens. However, you requested 50000.";

const begun = { type: "response.created", response: { id: "r", model: "m", status: "in_progress", output: [] } };
const failed = {
  type: "response.failed",
  response: { id: "r", status: "failed", output: [], error: { code: "context_length_exceeded", message: WORDS } },
};

/** First event of a refused stream, by format. */
const refusals: readonly (readonly [format: ProviderFormat, text: string])[] = [
  [openai, event({ error: { message: WORDS, type: "BadRequestError", param: null, code: 400 } })],
  [openai, event({ object: "error", message: WORDS, type: "BadRequestError", code: 400 })],
  [openai, event({ error: WORDS })],
  [openAiResponses, event(begun, begun.type) + event(failed, failed.type)],
  [openAiResponses, event({ type: "error", code: "context_length_exceeded", message: WORDS, param: null }, "error")],
  [anthropic, event({ type: "error", error: { type: "invalid_request_error", message: WORDS } }, "error")],
  [geminiContent, event({ error: { code: 400, status: "INVALID_ARGUMENT", message: WORDS } })],
  [cohereChat, event({ message: WORDS })],
  [ollamaChat, `${JSON.stringify({ error: WORDS })}\n`],
  [baiduChat, event({ error_code: 336_103, error_msg: WORDS })],
  [sparkChat, event({ code: 10_907, message: WORDS })],
  [
    hunyuanChat,
    event({ ErrorMsg: { Code: 0, Msg: WORDS }, Response: { Error: { Code: "InvalidParameter", Message: WORDS } } }),
  ],
];

function failureOf(translation: Translation, text: string) {
  const stream = translation.openStream(parsed);
  stream.push(Buffer.from(text));
  stream.finish();
  assert.deepEqual([stream.sawContent, stream.state], [false, "failed"]);
  const { kind, status, message } = stream.failure ?? {};
  return { kind, status, message };
}

const refusal = { kind: "bad-request", status: 400, message: WORDS };

describe("a stream that starts with a refusal", () => {
  for (const [provider, text] of refusals) {
    for (const caller of [openai, anthropic, geminiContent]) {
      it(`from ${provider.name} is a request error for callers of ${caller.name}: ${text.slice(0, 40).trim()}`, () => {
        const translation = createThroughNeutral(caller, provider, { countText, nowSeconds: () => 0 });
        assert.deepEqual(failureOf(translation, text), refusal);
      });
    }
  }

  const passed = (format: Format) => refusals.filter(([each]) => each === format).map(([, text]) => text);
  for (const format of [openai, openAiResponses, anthropic, geminiContent]) {
    it(`from ${format.name} is a request error if bytes pass through`, () => {
      for (const text of passed(format))
        assert.deepEqual(failureOf(createPassThrough(format, countText), text), refusal);
    });
  }

  it("is a rate limit, an overload or a refused key if the code says so", () => {
    const translation = createPassThrough(openai, countText);
    const kinds = ["rate_limit_exceeded", "overloaded_error", "invalid_api_key", "insufficient_quota"].map(
      (code) => failureOf(translation, event({ error: { message: "m", code } })).kind,
    );
    assert.deepEqual(kinds, ["rate-limited", "overloaded", "bad-credential", "out-of-credit"]);
  });

  it("is a broken stream without a known code", () => {
    const translation = createPassThrough(openai, countText);
    assert.equal(failureOf(translation, event({ error: { message: "CUDA died" } })).kind, "broken-stream");
  });
});
