import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Anthropic } from "@anthropic-ai/sdk";
import type { Tool as GoogleTool } from "@google/genai";
import type { JsonRecord } from "@one-api/providers/shared/json-fields";
import type { OpenAI } from "openai";
import { promptUpperBound } from "./prompt-upper-bound.ts";
import { paymentsOf, TOOL_FIELDS, TOOL_TYPES, type ToolPayment } from "./hosted-tools.ts";
import { refuseUnpriced } from "./refuse-unpriced.ts";

type TypeOf<Tool> = Tool extends { type?: infer Type } ? Extract<Type, string> : never;
type OpenAiType = OpenAI.Responses.Tool["type"] | OpenAI.ChatCompletionTool["type"];
type ClaudeType = TypeOf<Anthropic.Beta.BetaToolUnion>;

/** Every tool type of the vendors' SDKs. A type that a new version adds fails the type check here until its payment is decided. */
const DECIDED: Readonly<Record<OpenAiType | ClaudeType, ToolPayment>> = {
  function: "tokens",
  custom: "tokens",
  namespace: "tokens",
  mcp: "tokens",
  tool_search: "tokens",
  programmatic_tool_calling: "tokens",
  apply_patch: "tokens",
  local_shell: "tokens",
  computer: "tokens",
  computer_use_preview: "tokens",
  file_search: "fees",
  web_search: "fees",
  web_search_2025_08_26: "fees",
  web_search_preview: "fees",
  web_search_preview_2025_03_11: "fees",
  code_interpreter: "container",
  shell: "container",
  image_generation: "refused",
  advisor_20260301: "refused",
  bash_20241022: "tokens",
  bash_20250124: "tokens",
  browser_toolset_20260801: "tokens",
  code_execution_20250522: "fees",
  code_execution_20250825: "fees",
  code_execution_20260120: "fees",
  code_execution_20260521: "fees",
  computer_20241022: "tokens",
  computer_20250124: "tokens",
  computer_20251124: "tokens",
  computer_toolset_20260801: "tokens",
  mcp_toolset: "tokens",
  memory_20250818: "tokens",
  text_editor_20241022: "tokens",
  text_editor_20250124: "tokens",
  text_editor_20250429: "tokens",
  text_editor_20250728: "tokens",
  tool_search_tool_bm25: "tokens",
  tool_search_tool_bm25_20251119: "tokens",
  tool_search_tool_regex: "tokens",
  tool_search_tool_regex_20251119: "tokens",
  web_fetch_20250910: "tokens",
  web_fetch_20260209: "tokens",
  web_fetch_20260309: "tokens",
  web_fetch_20260318: "tokens",
  web_search_20250305: "fees",
  web_search_20260209: "fees",
  web_search_20260318: "fees",
};

const GOOGLE: Readonly<Record<keyof GoogleTool, ToolPayment>> = {
  functionDeclarations: "tokens",
  codeExecution: "tokens",
  computerUse: "tokens",
  urlContext: "tokens",
  mcpServers: "tokens",
  fileSearch: "fees",
  googleMaps: "fees",
  googleSearch: "fees",
  googleSearchRetrieval: "fees",
  retrieval: "fees",
  enterpriseWebSearch: "refused",
  exaAiSearch: "refused",
  parallelAiSearch: "refused",
};

/** Tools as requests contain them, with their payment. */
const TOOLS: readonly (readonly [tool: JsonRecord, payment: ToolPayment])[] = [
  ...Object.entries(DECIDED).map(([type, payment]) => [{ type }, payment] as const),
  ...Object.entries(GOOGLE).flatMap(([name, payment]) => {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [[{ [name]: {} }, payment] as const, [{ [snake]: {} }, payment] as const];
  }),
  ...[...TOOL_TYPES].map(([type, payment]) => [{ type }, payment] as const),
  ...[...TOOL_FIELDS].map(([name, payment]) => [{ [name]: {} }, payment] as const),
];

function refusalOf(json: JsonRecord): string | undefined {
  try {
    refuseUnpriced(json, []);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Error && "param" in error);
    return `${String(error.param)}: ${error.message}`;
  }
}

describe("tools that the provider may run", () => {
  it("have the decided payment", () => {
    for (const [tool, payment] of TOOLS) {
      const [found] = paymentsOf(tool);
      // Functions run at the caller.
      assert.equal(found?.[1] ?? "tokens", payment, JSON.stringify(tool));
    }
  });

  it("have their fees reserved, or are refused by name", () => {
    for (const [tool, payment] of TOOLS) {
      const { toolFees } = promptUpperBound({ input: "Hi", tools: [tool] }, 100);
      assert.equal(toolFees > 0, payment === "fees" || payment === "container", JSON.stringify(tool));
      const refusal = refusalOf({ tools: [{ type: "function", name: "f" }, tool] });
      if (payment === "refused") assert.match(refusal ?? "", /^tools\.1: .* Leave (?:it|this one) out\.$/);
      else assert.equal(refusal, undefined);
    }
  });

  it("are refused in every position if no table lists them", () => {
    const tools: readonly JsonRecord[] = [
      { type: "new_search_20271231" },
      { newSearch: {} },
      { type: "openrouter:new" },
    ];
    for (const tool of tools) {
      for (const json of [
        { tools: [tool] },
        { input: [{ type: "additional_tools", tools: [tool] }] },
        { messages: [{ content: [{ type: "tool_addition", tool: { definition: tool } }] }] },
      ])
        assert.match(
          refusalOf(json) ?? "",
          /^tools\.0: The tool .* is not offered here: no answer tells what it costs/,
        );
    }
  });
});

describe("a field that chooses another model or a dearer host", () => {
  it("is refused by the name of its field", () => {
    const refused: readonly (readonly [json: JsonRecord, field: string])[] = [
      [{ models: ["m2"] }, "models"],
      [{ fallbacks: ["m2"] }, "fallbacks"],
      [{ preset: "mine" }, "preset"],
      [{ route: "fallback" }, "route"],
      [{ provider: { order: ["dear"] } }, "provider"],
      [{ provider: { sort: "throughput" } }, "provider"],
      [{ provider: { only: ["dear"] } }, "provider"],
      [{ provider: "dear" }, "provider"],
      [{ providerOptions: { gateway: { order: ["dear"] } } }, "providerOptions"],
      [{ plugins: [{ id: "web" }, { id: "fusion" }] }, "plugins.1"],
      [{ plugins: [{}] }, "plugins.0"],
    ];
    for (const [json, field] of refused) assert.ok(refusalOf(json)?.startsWith(`${field}: `), JSON.stringify(json));
  });

  it("is accepted if it does not choose", () => {
    const taken: readonly JsonRecord[] = [
      { models: [], preset: null, route: "" },
      { provider: { data_collection: "deny", zdr: true, max_price: { prompt: 1 } } },
      { plugins: [{ id: "web" }, { id: "response-healing" }] },
    ];
    for (const json of taken) assert.equal(refusalOf(json), undefined, JSON.stringify(json));
  });
});

describe("searches requested by a field", () => {
  const leastOf = (json: JsonRecord) => promptUpperBound({ messages: [], ...json }, 100).leastFees;

  it("have at least one fee, and none if disabled", () => {
    const requests: readonly JsonRecord[] = [
      { web_search_options: {} },
      { search_parameters: { mode: "on" } },
      { plugins: [{ id: "web" }] },
      { enable_search: true },
      { web_search: { enable: true } },
      { model: "openai/gpt-4o:online" },
    ];
    for (const json of requests) assert.equal(leastOf(json), 20, JSON.stringify(json));
    const off: readonly JsonRecord[] = [
      {},
      { search_parameters: { mode: "off" } },
      { plugins: [{ id: "response-healing" }] },
      { plugins: [{ id: "web", enabled: false }] },
      { enable_search: false },
      { web_search: { enable: false } },
    ];
    for (const json of off) assert.equal(leastOf(json), 0, JSON.stringify(json));
  });
});
