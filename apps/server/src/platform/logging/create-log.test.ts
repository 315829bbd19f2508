import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "./create-log.ts";

test("secret fields are masked at any depth of a log line, the rest stays", () => {
  const lines: string[] = [];
  const log = createLog("warn", { write: (line) => void lines.push(line) });
  const headers = {
    authorization: "Bearer canary",
    cookie: "session=canary",
    "set-cookie": "canary",
    "x-api-key": "canary",
    accept: "text/plain",
  };
  log.warn(
    { password: "canary", key: "canary", headers, request: { headers }, channel: { key: "canary", name: "main" } },
    "seen",
  );
  log.info("below the level");
  assert.equal(lines.length, 1);
  assert.doesNotMatch(lines[0] ?? "", /canary/);
  assert.match(lines[0] ?? "", /text\/plain.*"name":"main".*"msg":"seen"/);
});
