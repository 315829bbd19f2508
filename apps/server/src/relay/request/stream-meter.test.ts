import assert from "node:assert/strict";
import { it } from "node:test";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import { readBody } from "../body/index.ts";
import { openai } from "../dialects/index.ts";
import { needsReport } from "./stream-meter.ts";

function askOf(path: string, fields: object) {
  const callPath = openai.callAt(path, "");
  assert.ok(callPath !== undefined);
  return callPath.parseRequest(readBody(Buffer.from(JSON.stringify({ model: "gpt-5", stream: true, ...fields }))), {});
}

const chat = (content: unknown = "x", fields: object = {}) =>
  askOf("/v1/chat/completions", { messages: [{ role: "user", content }], ...fields });
const asked = (fields: object) => askOf("/v1/responses", { input: "x", ...fields });
const stream = (usage?: Partial<Usage>) => ({
  deliveredTokens: () => 5,
  usage: usage === undefined ? undefined : { ...NO_USAGE, ...usage },
});
const picture = [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }];
const soon = { longestPauseMs: 500, price: { unit: "token" }, stream: stream() } as const;

it("only a provider's report tells what tools, pictures, kept conversations and late answers cost", () => {
  assert.equal(needsReport({ ...soon, parsed: chat() }), false);
  assert.equal(needsReport({ ...soon, parsed: chat(), longestPauseMs: 3_500 }), true, "it may have thought");
  assert.equal(needsReport({ ...soon, parsed: chat(picture) }), true);
  assert.equal(needsReport({ ...soon, parsed: asked({ previous_response_id: "resp_1" }) }), true);
  assert.equal(needsReport({ ...soon, parsed: asked({ tools: [{ type: "web_search" }] }) }), true);
  const fixed = { ...soon, price: { unit: "image" } } as const;
  assert.equal(needsReport({ ...fixed, parsed: chat(picture) }), false, "that is not what is paid");
});

it("a report that has come hides nothing of the prompt and of thoughts, but of tools", () => {
  const reported = stream({ promptTokens: 900, reasoningTokens: 40, completionTokens: 45 });
  assert.equal(needsReport({ ...soon, stream: reported, parsed: chat(picture) }), false);
  assert.equal(needsReport({ ...soon, stream: reported, parsed: chat(), longestPauseMs: 9_000 }), false);
  assert.equal(needsReport({ ...soon, stream: reported, parsed: asked({ tools: [{ type: "web_search" }] }) }), true);
});
