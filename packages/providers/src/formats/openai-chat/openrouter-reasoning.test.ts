import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AskedChat } from "../../format.ts";
import { providerOf } from "../../registry.ts";
import { anthropicMessages } from "../anthropic-messages/anthropic-messages.ts";
import { openAiChat } from "./openai-chat.ts";

const OPENROUTER = 20;
const messages = [{ role: "user", content: "Hi" }];

/** What OpenRouter is told of how much to think. */
function toldTo(asked: AskedChat | undefined, wish: Readonly<Record<string, unknown>>): unknown {
  const served = providerOf(OPENROUTER)?.serve("chat-completions", "m")?.format.chat;
  const request = asked?.readRequest({ model: "z-ai/glm-5", messages, max_tokens: 4_096, ...wish });
  assert.ok(served !== undefined && request !== undefined);
  const { body, dropped } = served.writeRequest(request);
  assert.deepEqual(dropped, []);
  return body["reasoning"];
}

describe("OpenRouter is told how much to think", () => {
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
