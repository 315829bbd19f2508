import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listLogs } from "@one-api/contract/logs/log";
import { getLogStat } from "@one-api/contract/logs/log-totals";
import { type LogStore, LogStoreError } from "@one-api/log-store/log-store";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import { serverAddress } from "../../listen.ts";

let testApp: TestApp;
let admin: TestLogin;
/** Replaces the log store's next answer. */
let ask: LogStore["ask"];
before(async () => {
  testApp = await createTestApp({
    logStore: {
      ask: (question, signal) => ask(question, signal),
      status: () => Promise.resolve({ state: "following", progress: 1, behind: 0 }),
      close: () => Promise.resolve(),
    },
  });
  admin = await testApp.logInAs("admin");
  await testApp.app.listen({ port: 0, host: "127.0.0.1" });
});
after(() => testApp.close());

test("a question ends when its caller disconnects", async () => {
  const caller = new AbortController();
  const ended = new Promise<void>((resolve) => {
    ask = (_question, signal) =>
      new Promise((_answer, reject) => {
        signal?.addEventListener("abort", () => {
          reject(new LogStoreError("cancelled", "Nobody waits."));
          resolve();
        });
        caller.abort();
      });
  });
  const url = `${serverAddress(testApp.app).replace("localhost", "127.0.0.1")}/api/log/stat`;
  const headers = { cookie: `session=${admin.client.sessionId() ?? ""}` };
  await assert.rejects(fetch(url, { headers, signal: caller.signal }), { name: "AbortError" });
  await ended;
});

for (const [failure, code] of [
  ["unavailable", "log-store-off"],
  ["busy", "log-store-busy"],
  ["time-limit", "log-question-too-long"],
  ["memory", "log-question-too-long"],
  ["failed", "log-store-failed"],
] as const)
  test(`a question that fails with ${failure} is refused with ${code} only`, async () => {
    ask = () => Promise.reject(new LogStoreError(failure, "select secret from entries"));
    const { status, envelope, text } = await admin.client.send(getLogStat);
    assert.deepEqual([status, envelope?.code], [503, code]);
    assert.doesNotMatch(text, /secret/);
  });

test("the list shows the newest entries while the log store does not run", async () => {
  await testApp.database.db
    .insertInto("logs")
    .values([sampleLog({ model_name: "o3" }), sampleLog({ model_name: "gpt-4o" })])
    .execute();
  for (const failure of ["unavailable", "failed"] as const) {
    ask = () => Promise.reject(new LogStoreError(failure, "It ended."));
    const rows = await admin.client.data(listLogs, { query: { model_name: "o3" } });
    assert.deepEqual(
      rows.map(({ model_name: model }) => model),
      ["o3"],
    );
  }
});
