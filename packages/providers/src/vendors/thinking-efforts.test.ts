import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AskedChat } from "../format-sides.ts";
import { anthropicMessages } from "../protocols/anthropic-messages/anthropic-messages.ts";
import { geminiContent } from "../protocols/gemini/gemini.ts";
import { openAiChat } from "../protocols/openai-chat/openai-chat.ts";
import { openAiResponses } from "../protocols/openai-responses/openai-responses.ts";
import { providerOf } from "../registry.ts";
import type { JsonRecord } from "../shared/json-fields.ts";

const messages = [{ role: "user", content: "Hi" }];
const DEEPSEEK = 36;
/** Zhipu and Doubao switch thinking on and off, without an effort. */
const SWITCHES = [16, 40];

function chatOf(format: { readonly chat?: AskedChat | undefined }): AskedChat {
  assert.ok(format.chat !== undefined);
  return format.chat;
}

function written(type: number, asked: AskedChat, body: JsonRecord) {
  const served = providerOf(type)?.serve("chat-completions", "some-model")?.format.chat;
  assert.ok(served !== undefined);
  const { body: request, dropped } = served.writeRequest(asked.readRequest({ model: "some-model", ...body }));
  return { thinking: request.thinking, effort: request.reasoning_effort, dropped };
}

const anthropic = chatOf(anthropicMessages("2023-06-01"));
const claudeCode = (effort: string) => ({
  messages,
  max_tokens: 50,
  thinking: { type: "adaptive" },
  output_config: { effort },
});

const callers: readonly (readonly [name: string, asked: AskedChat, body: (effort: string) => JsonRecord])[] = [
  ["Messages", anthropic, claudeCode],
  ["Responses", chatOf(openAiResponses), (effort) => ({ input: "Hi", reasoning: { effort } })],
  ["chat completions", chatOf(openAiChat()), (effort) => ({ messages, reasoning_effort: effort })],
];

const enabled = { type: "enabled" };

describe("an effort", () => {
  for (const [name, asked, body] of callers) {
    it(`of a caller of ${name} reaches DeepSeek in its own format`, () => {
      const efforts = { low: "low", medium: "high", high: "high", xhigh: "max", max: "max" };
      for (const [effort, own] of Object.entries(efforts)) {
        assert.deepEqual(
          written(DEEPSEEK, asked, body(effort)),
          { thinking: enabled, effort: own, dropped: [] },
          effort,
        );
      }
    });

    it(`of a caller of ${name} is reported as dropped where only a switch exists`, () => {
      for (const type of SWITCHES) {
        const told = { thinking: enabled, effort: undefined, dropped: ["reasoning_effort"] };
        assert.deepEqual(written(type, asked, body("high")), told, `type ${type}`);
      }
    });
  }

  it("of a level of thought reaches DeepSeek from callers of Google's API", () => {
    const generationConfig = { thinkingConfig: { thinkingLevel: "high" } };
    const contents = [{ role: "user", parts: [{ text: "Hi" }] }];
    const { thinking, effort } = written(DEEPSEEK, chatOf(geminiContent), { contents, generationConfig });
    assert.deepEqual([thinking, effort], [enabled, "high"]);
  });

  it("none switches thinking off", () => {
    for (const type of [DEEPSEEK, ...SWITCHES]) {
      const asked = chatOf(openAiResponses);
      const told = written(type, asked, { input: "Hi", reasoning: { effort: "none" } });
      assert.deepEqual(told, { thinking: { type: "disabled" }, effort: undefined, dropped: [] });
    }
  });
});
