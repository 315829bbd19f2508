import assert from "node:assert/strict";
import { test } from "node:test";
import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import { readUsage } from "./answer.ts";
import { ResponsesStreamDecoder } from "./decode-stream.ts";
import { ResponsesStreamMeter } from "./stream-meter.ts";

const search = { type: "web_search_call" };
const code = (container_id: string) => ({ type: "code_interpreter_call", container_id });
const interpreter = (memory_limit: string) => ({ type: "code_interpreter", container: { type: "auto", memory_limit } });
const ran = (container_id: string) => ({
  type: "shell_call",
  environment: { type: "container_reference", container_id },
});
const ranAtHome = { type: "shell_call", environment: { type: "local" } };
const shell = (memory_limit?: string) => ({ type: "shell", environment: { type: "container_auto", memory_limit } });

/** Prices in dollars. Source: https://developers.openai.com/api/docs/pricing */
const rows: readonly (readonly [
  what: string,
  model: string,
  output: readonly object[],
  tools: readonly object[],
  dollars: number,
])[] = [
  ["nothing", "gpt-5", [{ type: "message" }], [], 0],
  ["a search", "gpt-5", [search, search], [{ type: "web_search" }], 0.02],
  ["a search by the older tool, of a model that thinks", "gpt-5", [search], [{ type: "web_search_preview" }], 0.01],
  ["of one that does not", "gpt-4.1", [search], [{ type: "web_search_preview_2025_03_11" }], 0.025],
  ["by the newer tool", "gpt-4.1", [search], [{ type: "web_search" }], 0.01],
  ["a search of files", "gpt-5", [{ type: "file_search_call" }], [{ type: "file_search" }], 0.0025],
  ["code, once for each container", "gpt-5", [code("a"), code("a"), code("b")], [{ type: "code_interpreter" }], 0.06],
  ["code in a larger container", "gpt-5", [code("a")], [interpreter("4g")], 0.12],
  ["code in the largest container", "gpt-5", [code("a")], [interpreter("64g")], 1.92],
  ["commands, once for each container", "gpt-5", [ran("a"), ran("a"), ranAtHome], [shell()], 0.03],
  ["commands in a larger container", "gpt-5", [ran("a"), code("b")], [interpreter("4g"), shell("16g")], 0.6],
];

for (const [what, model, output, tools, dollars] of rows) {
  test(`OpenAI's tools: ${what} costs $${dollars}`, () => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    assert.equal((readUsage({ model, output, tools, usage })?.toolFees ?? 0) / FEES_PER_DOLLAR, dollars);
  });
}

test("OpenAI's tools: tool use in a stream that is cut costs as much as in a report", () => {
  for (const [what, model, output, tools, dollars] of rows) {
    const meter = new ResponsesStreamMeter({ passUsage: false, countText: (text) => text.length });
    const event = (fields: object) => Buffer.from(`data: ${JSON.stringify(fields)}\n\n`);
    meter.look(event({ type: "response.created", response: { id: "resp_1", model, tools } }));
    meter.look(event({ type: "response.output_text.delta", delta: "Hi" }));
    for (const item of output) {
      const done = event({ type: "response.output_item.done", item });
      if (meter.passing(done, done.toString("latin1"), 0) === 0) meter.look(done);
    }
    assert.equal((meter.beside.toolFees ?? 0) / FEES_PER_DOLLAR, dollars, what);
  }
});

test("OpenAI's tools: tool use in a translated stream costs the same", () => {
  for (const [what, model, output, tools, dollars] of rows) {
    const decoder = new ResponsesStreamDecoder();
    const read = (fields: object) => decoder.read("", JSON.stringify(fields));
    read({ type: "response.created", response: { id: "resp_1", model, tools } });
    const reports = output
      .flatMap((item) => read({ type: "response.output_item.done", item }))
      .filter((event) => event.type === "tool-fee-report");
    assert.equal((reports.at(-1)?.toolFees ?? 0) / FEES_PER_DOLLAR, dollars, what);
  }
});
