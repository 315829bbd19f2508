import assert from "node:assert/strict";
import { test } from "node:test";
import { sentBy, urlOf } from "../../testing/call-provider.ts";

test("AI Proxy's knowledge base is the channel's, by its configuration or its older field", () => {
  const libraryOf = (rest: object) => sentBy(21, { query: "a" }, { rest });
  assert.deepEqual(libraryOf({ other: "old" }), { query: "a", libraryId: "old" });
  assert.deepEqual(libraryOf({ other: "old", config: { library_id: "new" } }), { query: "a", libraryId: "new" });
  assert.equal(urlOf(21, "", "chat-completions", { other: "x" }), "https://api.aiproxy.io/api/library/ask");
  assert.throws(() => urlOf(21, ""), /knowledge base/);
});
