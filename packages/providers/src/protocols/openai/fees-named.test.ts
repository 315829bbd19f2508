import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonRecord } from "../../shared/json-fields.ts";
import { openAiFormat } from "./openai-format.ts";
import { openAiResponses } from "../openai-responses/openai-responses.ts";

const chat = openAiFormat("openai-chat", { limitField: "max_tokens", streamUsage: "on-request" });
const tokens = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
const feesOf = (answer: JsonRecord) => chat.readUsage(answer)?.toolFees;
const withUsage = (usage: JsonRecord, model = "m") => ({ model, usage: { ...tokens, ...usage } });

describe("fees beside the tokens in answers of OpenAI's format, in units of $0.0005", () => {
  const answers: Readonly<Record<string, readonly [answer: JsonRecord, fees: number]>> = {
    "tokens alone": [withUsage({}), 0],
    "OpenRouter's searches": [withUsage({ server_tool_use: { web_search_requests: 2, web_fetch_requests: 5 } }), 40],
    "a tool that is not known": [withUsage({ server_tool_use: { new_requests: 1 } }), 20],
    "Perplexity's fee for a small model": [withUsage({ search_context_size: "low" }, "sonar"), 10],
    "Perplexity's fee for a large model": [withUsage({ search_context_size: "high" }, "sonar-pro"), 28],
    "Perplexity's fee for a new size": [withUsage({ search_context_size: "huge" }, "sonar"), 28],
    "Perplexity's queries": [withUsage({ num_search_queries: 3 }), 30],
    "xAI's sources": [withUsage({ num_sources_used: 10 }), 500],
    "xAI's tools": [
      withUsage({
        server_side_tool_usage_details: { x_search_calls: 2, web_search_calls: 1, file_search_calls: 1, mcp_calls: 9 },
      }),
      35,
    ],
    "a new tool of xAI's": [withUsage({ server_side_tool_usage_details: { new_calls: 1 } }), 20],
    "xAI's number of tools": [withUsage({ num_server_side_tools_used: 2 }), 40],
    "Qwen's searches": [withUsage({ plugins: { search: { count: 2 } } }), 40],
    "Zhipu's results": [{ ...withUsage({}), web_search: [{ title: "a" }] }, 20],
    "Groq's tools": [
      { ...withUsage({}), choices: [{ message: { executed_tools: [{ type: "search" }, { type: "python" }] } }] },
      32,
    ],
  };
  for (const [what, [answer, fees]] of Object.entries(answers)) it(what, () => assert.equal(feesOf(answer), fees));

  it("are charged wherever a stream reports them", () => {
    const piece = (delta: JsonRecord, more: JsonRecord = {}) => ({ choices: [{ index: 0, delta }], ...more });
    const told: readonly JsonRecord[] = [
      piece({ content: "Hi" }, { web_search: [{ title: "a" }] }),
      piece({ content: "Hi", executed_tools: [{ type: "search" }] }),
    ];
    const fees = told.map((event) => {
      const meter = chat.meter({ passUsage: true, countText: (text) => text.length });
      for (const one of [piece({ content: "Hi" }), event, { choices: [], usage: tokens }]) {
        const bytes = Buffer.from(`data: ${JSON.stringify(one)}\n\n`);
        if (meter.passing(bytes, bytes.toString("latin1"), 0) === 0) meter.look(bytes);
      }
      return [meter.usage?.toolFees, meter.usage?.promptTokens];
    });
    assert.deepEqual(fees, [
      [20, 10],
      [16, 10],
    ]);
  });

  it("are charged without reported tokens too", () => {
    assert.equal(feesOf({ usage: { num_sources_used: 1 } }), 50);
    assert.equal(chat.readUsage({ usage: { cost: 0.5 } })?.providerDollars, 0.5);
    assert.equal(openAiResponses.readUsage({ output: [{ type: "web_search_call" }] })?.toolFees, 20);
  });

  it("are the report's if it counts the tools of a response", () => {
    const output = [{ type: "web_search_call" }, { type: "web_search_call" }];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const counted = { ...usage, server_side_tool_usage_details: { web_search_calls: 2 } };
    assert.equal(openAiResponses.readUsage({ output, usage })?.toolFees, 40);
    assert.equal(openAiResponses.readUsage({ output, usage: counted })?.toolFees, 20);
  });

  it("include xAI's search of X, identified by its name in a response", () => {
    const output = [{ type: "custom_tool_call", name: "x_keyword_search" }];
    const usage = { input_tokens: 1, output_tokens: 1 };
    assert.equal(openAiResponses.readUsage({ tools: [{ type: "x_search" }], output, usage })?.toolFees, 10);
    assert.equal(openAiResponses.readUsage({ tools: [{ type: "custom" }], output, usage })?.toolFees, 0);
  });
});
