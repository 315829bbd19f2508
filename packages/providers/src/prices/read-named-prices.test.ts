import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { readNamedPrices } from "./read-named-prices.ts";

const read = (json: unknown) => Object.fromEntries(readNamedPrices(json));

test("the own form has prices of every kind, and dated ones", () => {
  const later = { from: "2026-12-01", input: 4, output: 20 };
  assert.deepEqual(read({ prices: { one: { input: 1, output: 2 }, two: [later], three: { per_request: 0.1 } } }), {
    one: [{ input: 1, output: 2 }],
    two: [later],
    three: [{ per_request: 0.1 }],
  });
});

test("ratios of One API and new-api are dollars, and a missing completion ratio is the list's", () => {
  const expected = {
    mine: [{ input: 2, output: 6, cached_input: 0.5 }],
    "gpt-4o": [{ input: 5, output: 20 }],
    call: [{ per_request: 0.1 }],
  };
  const model = { mine: 1, "gpt-4o": 2.5 };
  assert.deepEqual(
    read({ ModelRatio: model, CompletionRatio: { mine: 3 }, CacheRatio: { mine: 0.25 }, ModelPrice: { call: 0.1 } }),
    expected,
  );
  const data = {
    model_ratio: model,
    completion_ratio: { mine: 3 },
    cache_ratio: { mine: 0.25 },
    model_price: { call: 0.1 },
  };
  assert.deepEqual(read({ success: true, data }), expected);
});

test("LiteLLM's costs per token are dollars per million, with long prompts, units and types of channels", () => {
  assert.deepEqual(
    read({
      sample_spec: { input_cost_per_token: "a number" },
      "claude-x": {
        input_cost_per_token: 3e-6,
        output_cost_per_token: 1.5e-5,
        cache_read_input_token_cost: 3e-7,
        cache_creation_input_token_cost: 3.75e-6,
        cache_creation_input_token_cost_above_1hr: 6e-6,
        input_cost_per_token_above_200k_tokens: 6e-6,
        output_cost_per_token_above_200k_tokens: 2.25e-5,
        max_tokens: 64_000,
      },
      "azure/gpt-x": { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
      "other/gpt-x": { input_cost_per_token: 1e-6 },
      painter: { output_cost_per_image: 0.04 },
      listener: { input_cost_per_second: 0.0001, output_cost_per_second: 0 },
      free: { input_cost_per_token: 0, output_cost_per_token: 0 },
      unknown: { mode: "chat" },
    }),
    {
      "claude-x": [
        {
          input: 3,
          output: 15,
          cached_input: 0.3,
          cache_write: 3.75,
          cache_write_1h: 6,
          steps: [{ above: 200_000, input: 6, output: 22.5, cached_input: 0.3, cache_write: 3.75, cache_write_1h: 6 }],
        },
      ],
      "gpt-x(3)": [{ input: 1, output: 2 }],
      "other/gpt-x": [{ input: 1, output: 1 }],
      painter: [{ per_image: 0.04 }],
      listener: [{ per_second: 0.0001 }],
    },
  );
});

for (const [json, place] of [
  ["text", ""],
  [{}, ""],
  [{ error: { message: "not found" } }, ""],
  [{ prices: { m: { input: 1 } } }, "prices.m.output"],
  [{ ModelRatio: { m: -1 } }, "ModelRatio.m"],
  [{ ModelRatio: { m: "1" } }, "ModelRatio.m"],
  [{ ModelRatio: { m: 1e9 } }, "ModelRatio.m"],
  [{ ModelRatio: { m: 0 }, CompletionRatio: [1] }, "CompletionRatio"],
  [{ m: { input_cost_per_token: -1 } }, "m.input_cost_per_token"],
  [{ m: { input_cost_per_token: 1e-6, output_cost_per_token: "2" } }, "m.output_cost_per_token"],
  [{ m: { input_cost_per_token: 2e9 } }, "m"],
] as const) {
  test(`${JSON.stringify(json)} is wrong at "${place}"`, () => {
    assert.throws(
      () => readNamedPrices(json),
      (error) => error instanceof z.ZodError && (error.issues[0]?.path.join(".") ?? "") === place,
    );
  });
}
