import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import type { AskedChat } from "../../format-sides.ts";
import { gatherAnswer } from "../../neutral/gather-answer.ts";
import { nameSigner } from "../../neutral/signature.ts";
import { providerOf } from "../../registry.ts";
import { anthropicMessages } from "../anthropic-messages/anthropic-messages.ts";
import { openAiChat } from "./openai-chat.ts";

const OPENROUTER = 20;
const messages = [{ role: "user", content: "Hi" }];

/** The written reasoning options. */
function toldTo(asked: AskedChat | undefined, wish: Readonly<Record<string, unknown>>): unknown {
  const served = providerOf(OPENROUTER)?.serve("chat-completions", "m")?.format.chat;
  const request = asked?.readRequest({ model: "z-ai/glm-5", messages, max_tokens: 4_096, ...wish });
  assert.ok(served !== undefined && request !== undefined);
  const { body, dropped } = served.writeRequest(request);
  assert.deepEqual(dropped, []);
  return body["reasoning"];
}

describe("OpenRouter receives the reasoning options", () => {
  const { chat: claude } = anthropicMessages("2023-06-01");
  const { chat: openAi } = openAiChat();
  const cases = [
    ["as the model sees fit", claude, { thinking: { type: "adaptive" } }, { enabled: true }],
    ["up to so many tokens", claude, { thinking: { type: "enabled", budget_tokens: 2_048 } }, { max_tokens: 2_048 }],
    ["not at all", claude, { thinking: { type: "disabled" } }, { enabled: false }],
    ["by an effort", openAi, { reasoning_effort: "low" }, { effort: "low" }],
    ["nothing where nobody asked", openAi, {}, undefined],
  ] as const;
  for (const [how, asked, wish, expected] of cases) {
    it(how, () => assert.deepEqual(toldTo(asked, wish), expected));
  }
});

test("a streamed thought of OpenRouter's ends before other content, with its signature", () => {
  const decoder = openAiChat().chat?.decode();
  const chunk = (delta: object, finish_reason: string | null = null) =>
    decoder?.read("", JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason }] })) ?? [];
  const summary = { type: "reasoning.summary", format: "openai-responses-v1", id: "rs_1", index: 0 };
  const encrypted = { type: "reasoning.encrypted", data: "aGlk", format: "openai-responses-v1", id: "rs_1", index: 0 };
  const gathered = gatherAnswer([
    ...chunk({ reasoning: "I ", reasoning_details: [{ ...summary, summary: "I " }] }),
    ...chunk({ reasoning: "ponder", reasoning_details: [{ ...summary, summary: "ponder" }] }),
    ...chunk({ reasoning_details: [encrypted] }),
    ...chunk({ reasoning_details: [{ ...summary, id: "rs_2", index: 1, summary: "Once more" }] }),
    ...chunk({ content: "Hi" }),
    ...chunk({}, "stop"),
  ]);
  const signed = (detail: object) => nameSigner("openrouter", JSON.stringify({ ...detail, index: undefined }));
  assert.deepEqual(gathered.ok && gathered.answer.choices[0]?.parts, [
    { type: "reasoning", text: "I ponder", signature: signed(summary) },
    { type: "hidden-reasoning", data: signed(encrypted) },
    { type: "reasoning", text: "Once more", signature: signed({ ...summary, id: "rs_2" }) },
    { type: "text", text: "Hi" },
  ]);
});
