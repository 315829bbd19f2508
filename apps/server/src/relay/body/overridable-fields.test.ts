import assert from "node:assert/strict";
import { test } from "node:test";
import { concernedFields } from "@one-api/contract/channels/overrides/override-fields";
import { KNOWN_FIELDS } from "./parse-request.ts";

/** Fields that may decide the price by their content, which an override of their parts may name. */
const BY_CONTENT = new Set(["provider", "reasoning", "thinking"]);

test("every field that decides price or route is metered or refused in an override", () => {
  const free = [...KNOWN_FIELDS].filter((name) => concernedFields([name], 1).every(({ effect }) => effect === "free"));
  assert.deepEqual(new Set(free), BY_CONTENT);
  const within = { provider: { order: ["a"] }, reasoning: { max_tokens: 1 }, thinking: { budget_tokens: 1 } };
  for (const [name, value] of Object.entries(within))
    assert.ok(
      concernedFields([name], value).some(({ effect }) => effect !== "free"),
      name,
    );
});
