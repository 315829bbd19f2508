import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Format, RequestEdits } from "@one-api/providers/format";
import { anthropicMessages } from "@one-api/providers/protocols/anthropic-messages/anthropic-messages";
import { geminiContent } from "@one-api/providers/protocols/gemini/gemini";
import { openAiChat } from "@one-api/providers/protocols/openai-chat/openai-chat";
import { openAiResponses } from "@one-api/providers/protocols/openai-responses/openai-responses";
import { sealThoughts } from "@one-api/providers/neutral/sealed-thoughts";
import { readBody } from "../body/index.ts";
import { ownRequest } from "../dialects/index.ts";
import { createPassThrough } from "./pass-through.ts";

/** Streams with unknown events at the end. */
const STREAMS: Readonly<Record<string, readonly [Format, readonly string[]]>> = {
  "Anthropic's": [
    anthropicMessages("2023-06-01"),
    [
      'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Hi"}}\n\n',
      'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}\n\n',
      'event: message_stop\r\ndata: {"type": "message_stop", "amazon-bedrock-invocationMetrics": {"latency": 1e3}}\r\n\r\n',
    ],
  ],
  "OpenAI's chat": [
    openAiChat(),
    [
      'data: {"id":"1","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n',
      'data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"stop","later":1.0}]}\n\n',
      'data: {"id":"1","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\n',
      "data:[DONE]\r\n\r\n",
    ],
  ],
  "OpenAI's Responses": [
    openAiResponses,
    [
      'data: {"type":"response.output_text.delta","delta":"Hi"}\n\n',
      'data: {"type":"response.completed","response":{"usage":{"input_tokens":1,"output_tokens":1}},"later": -0}\n\n',
    ],
  ],
  "Gemini's": [
    geminiContent,
    [
      'data: {"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}\n\n',
      'data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1},"later":[ ]}\n\n',
    ],
  ],
};

describe("a stream that passes through", () => {
  for (const [name, [format, events]] of Object.entries(STREAMS)) {
    it(`is unchanged in ${name} format, including its end`, () => {
      const passThrough = createPassThrough(format, (text) => text.length);
      const parsed = ownRequest("chat-completions", {
        model: "m",
        messages: [{ role: "user", content: "Hi" }],
        stream: true,
      });
      for (const pieces of [events, [events.join("")]]) {
        const stream = passThrough.openStream({ ...parsed, wantsUsage: true });
        const passed = pieces.map((piece) => stream.push(Buffer.from(piece))?.toString() ?? "");
        passed.push(stream.finish()?.toString() ?? "", stream.closing.toString());
        assert.equal(stream.state, "complete");
        assert.equal(passed.join(""), events.join(""));
      }
    });
  }
});

describe("a request that passes through", () => {
  const NUMBERS = '{"id":12345678901234567890,"x":1.0,"list":[-0,1e3]}';
  const seal = sealThoughts([{ type: "reasoning", text: "Hm.", signature: "" }]);
  const EDITS = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: false };
  const PLAIN: readonly (readonly [Format, string, Partial<RequestEdits>])[] = [
    [
      anthropicMessages("2023-06-01"),
      `{"model":"m","messages":[{"role":"assistant","content":[{"type":"redacted_thinking","data":"${seal}"},{"type":"tool_use","id":"c","name":"f","input":${NUMBERS}}]}]}`,
      {},
    ],
    [
      geminiContent,
      `{"contents":[{"role":"model","parts":[{"functionCall":{"name":"f","args":${NUMBERS}},"thoughtSignature":"${seal}"}]}]}`,
      {},
    ],
    [
      openAiResponses,
      `{"model":"m","input":[{"type":"reasoning","encrypted_content":"${seal}"},{"type":"additional_tools","tools":[${NUMBERS}]}]}`,
      {},
    ],
    [
      openAiChat(),
      `{"model":"m","messages":[{"role":"user","content":"Hi","later":${NUMBERS}}]}`,
      { systemPrompt: "Be brief." },
    ],
    [geminiContent, `{"contents":[],"generationConfig":{"responseJsonSchema":${NUMBERS}}}`, { maxTokens: 5 }],
  ];

  for (const [format, text, edits] of PLAIN) {
    it(`retains its numbers if ${format.name} is edited for ${Object.keys(edits)[0] ?? "a seal"}`, () => {
      const body = readBody(Buffer.from(text));
      const parsed = { ...ownRequest("chat-completions", { model: "m", messages: [{}] }), format, body };
      const written = createPassThrough(format, () => 1)
        .writeRequest(parsed, { ...EDITS, ...edits })
        .body.toString();
      assert.ok(written !== text && !written.includes(seal), written);
      assert.ok(written.includes(NUMBERS), written);
    });
  }
});
