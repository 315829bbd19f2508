import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { anthropicMessages } from "./protocols/anthropic-messages/anthropic-messages.ts";
import { geminiContent } from "./protocols/gemini/gemini.ts";
import { openAiFormat } from "./protocols/openai/openai-format.ts";
import { openAiResponses } from "./protocols/openai-responses/openai-responses.ts";
import type { Format } from "./format.ts";
import { completedBy, lacksTokens, NO_USAGE } from "./usage.ts";

describe("a report of usage with zeros", () => {
  const earlier = { ...NO_USAGE, promptTokens: 9, cachedTokens: 4, completionTokens: 14, reasoningTokens: 3 };

  it("takes prompt and completion from the other source, each as a whole", () => {
    assert.deepEqual(completedBy(NO_USAGE, earlier), earlier);
    const prompt = { ...NO_USAGE, promptTokens: 7 };
    assert.deepEqual(completedBy(prompt, earlier), { ...earlier, promptTokens: 7, cachedTokens: 0 });
    const completion = { ...NO_USAGE, completionTokens: 5 };
    assert.deepEqual(completedBy(completion, earlier), { ...earlier, completionTokens: 5, reasoningTokens: 0 });
    assert.deepEqual(completedBy(earlier, undefined), earlier);
  });

  it("keeps fees, the cost and the tier that either source names", () => {
    const named = { ...NO_USAGE, toolFees: 20, providerDollars: 0.5, priceFactor: 6, namesTier: true };
    assert.deepEqual(completedBy(NO_USAGE, named), named);
    assert.deepEqual(completedBy(named, NO_USAGE), named);
  });

  it("lacks what it counts as nothing", () => {
    assert.deepEqual(
      [NO_USAGE, earlier, { ...earlier, completionTokens: 0 }, { ...earlier, promptTokens: 0 }].map((usage) =>
        lacksTokens(usage, true),
      ),
      [true, false, true, true],
    );
    assert.equal(lacksTokens({ ...earlier, completionTokens: 0 }, false), false);
  });
});

describe("zeros in the last report of a stream change nothing", () => {
  const chat = openAiFormat("openai-chat", { limitField: "max_tokens", streamUsage: "on-request" });
  const piece = { choices: [{ index: 0, delta: { content: "Hi" } }] };
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  const response = (type: string, usage: object) => ({ type, response: { id: "r", output: [], usage } });
  const gemini = (promptTokenCount: number, candidatesTokenCount: number) => ({
    candidates: [{ content: { parts: [{ text: "Hi" }] } }],
    usageMetadata: { promptTokenCount, candidatesTokenCount },
  });
  const delta = { type: "content_block_delta", delta: { type: "text_delta", text: "Hi" } };
  const start = {
    type: "message_start",
    message: { model: "m", usage: { input_tokens: 5, cache_read_input_tokens: 4 } },
  };
  const streams: Readonly<Record<string, readonly [Format, readonly object[]]>> = {
    chat: [
      chat,
      [piece, { ...piece, usage: { prompt_tokens: 9, completion_tokens: 14 } }, { choices: [], usage: zeros }],
    ],
    Gemini: [geminiContent, [gemini(9, 14), gemini(0, 0)]],
    Responses: [
      openAiResponses,
      [
        { type: "response.output_text.delta", delta: "Hi" },
        response("response.completed", { input_tokens: 9, output_tokens: 14 }),
      ],
    ],
    Messages: [
      anthropicMessages("2023-06-01"),
      [
        start,
        delta,
        { type: "message_delta", delta: {}, usage: { output_tokens: 14 } },
        { type: "message_delta", delta: {}, usage: { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 } },
      ],
    ],
  };
  for (const [name, [format, events]] of Object.entries(streams)) {
    it(`in ${name}`, () => {
      const meter = format.meter({ passUsage: true, countText: (text) => text.length });
      for (const event of events) meter.look(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
      assert.deepEqual([meter.usage?.promptTokens, meter.usage?.completionTokens], [9, 14]);
    });
  }

  it("and a later report of Messages that is another is taken", () => {
    const meter = anthropicMessages("2023-06-01").meter({ passUsage: true, countText: (text) => text.length });
    const moved = { input_tokens: 0, cache_read_input_tokens: 9, output_tokens: 2 };
    for (const event of [start, delta, { type: "message_delta", delta: {}, usage: moved }])
      meter.look(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    assert.deepEqual([meter.usage?.promptTokens, meter.usage?.cachedTokens], [9, 9]);
  });
});
