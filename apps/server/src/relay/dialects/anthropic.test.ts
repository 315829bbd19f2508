import assert from "node:assert/strict";
import { test } from "node:test";
import { readBody } from "../body/index.ts";
import { anthropic } from "./anthropic.ts";

const BODY = readBody(Buffer.from('{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Hi"}]}'));

test("only beta=true of the query belongs to the request", () => {
  const cases = {
    "": "",
    "beta=true": "beta=true",
    "key=sk-1&beta=true": "beta=true",
    "beta=1": "",
    "x=beta=true": "",
  };
  for (const [query, expected] of Object.entries(cases)) {
    for (const path of [
      anthropic.callAt("/v1/messages", query),
      anthropic.countAt("/v1/messages/count_tokens", query),
    ]) {
      assert.equal(path?.parseRequest(BODY, {}).formatQuery, expected);
    }
  }
});
