import assert from "node:assert/strict";
import { test } from "node:test";
import storedModels from "../models/models.json" with { type: "json" };
import { modelsOfType } from "../models/models-of-type.ts";
import { offeredModels } from "./offered-models.ts";

test("models.json matches its sources", () => {
  assert.deepEqual(storedModels, offeredModels(), "run node packages/providers/scripts/generate-models.ts");
});

test("a new channel offers its maker's newest models, whose prices no maintained list knows yet", () => {
  assert.deepEqual(modelsOfType(1).slice(0, 2), ["gpt-6.2-sol", "gpt-6.2-astra"]);
  assert.equal(modelsOfType(14)[0], "claude-fable-5-2");
  assert.ok(modelsOfType(24).slice(0, 4).includes("gemini-4-argon"));
});
