import assert from "node:assert/strict";
import { test } from "node:test";
import { sentBy } from "../../testing/call-provider.ts";

test("Qwen searches the web for One API's names with the suffix", () => {
  const asked = sentBy(17, { model: "qwen-max-internet", messages: [] }, { model: "qwen-max-internet" });
  assert.deepEqual(asked, { model: "qwen-max", messages: [], enable_search: true });
  assert.deepEqual(sentBy(17, { model: "qwen-max" }, { model: "qwen-max" }), { model: "qwen-max" });
});
