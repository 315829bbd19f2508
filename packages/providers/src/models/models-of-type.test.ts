import assert from "node:assert/strict";
import { test } from "node:test";
import { modelsOfType } from "./models-of-type.ts";

test("current models precede older ones, and resellers and Azure offer OpenAI's", () => {
  const models = modelsOfType(1);
  assert.ok(models.indexOf("gpt-5") >= 0 && models.indexOf("gpt-5") < models.indexOf("gpt-3.5-turbo"));
  assert.ok(models.includes("text-embedding-3-small"));
  const made = models.findIndex((model) => /image|tts|whisper|realtime/.test(model));
  assert.ok(
    models.slice(made).every((model) => /image|tts|whisper|transcribe|realtime/.test(model)),
    "pictures and sound come last",
  );
  for (const type of [3, 7, 8, 22]) assert.deepEqual(modelsOfType(type), models);
  assert.deepEqual(modelsOfType(43), []);
  assert.deepEqual(modelsOfType(999), []);
});
