import assert from "node:assert/strict";
import { test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { listChannelDecisions } from "@one-api/contract/channels/channel-decision";
import type { FailureKind } from "@one-api/providers/failure";
import { loadChannelForRelay } from "../../features/channels/index.ts";
import { createTestApp } from "../../testing/create-test-app.ts";
import { createChannelHealth } from "./channel-health.ts";
import { createChannelEvents, recordFailure } from "./record-outcome.ts";
import { findCandidates } from "./find-candidates.ts";

const SWITCHES = { geminiNative: true, geminiUpload: true };

test("what makes a channel or a model rest is written down with its reason, once a minute with how often it was", async () => {
  const testApp = await createTestApp();
  const { clock } = testApp;
  const { database, secrets, log } = testApp.deps;
  const { client } = await testApp.logInAs("admin");
  const body = { type: 1, name: "one", key: "sk-1", models: "a,b" };
  const [id = 0] = (await client.data(createChannel, { body })).ids;
  const channel = await loadChannelForRelay(database.db, secrets, id);
  assert.ok(channel);
  const disabled: string[] = [];
  const events = createChannelEvents(testApp.deps, log);
  const deps = {
    health: createChannelHealth(clock),
    events,
    disableKey: () => assert.fail("the channel has one key"),
    disableChannel: (_id: number, { code }: { code: string }) => void disabled.push(code),
  };
  const fail = (model: string, kind: FailureKind, message = "") => {
    const [route] = findCandidates([channel], model, "chat-completions", SWITCHES).routes;
    assert.ok(route);
    recordFailure(deps, route, { kind, message, code: "", type: "", param: null, status: 429, retryAfterMs: null });
  };
  const told = async () => {
    await events.written();
    const rows = await client.data(listChannelDecisions, { params: { id }, query: { size: 100 } });
    return rows.map(({ kind, model, code, message, times }) => [kind, model, code, message, times]);
  };

  for (let time = 0; time < 3; time += 1) fail("a", "rate-limited", "Slow down.");
  const asleep = ["model-slept", "a", "rate-limited", "Slow down."];
  assert.deepEqual(await told(), [[...asleep, 1]]);
  clock.advanceSeconds(60);
  fail("a", "rate-limited", "Slow down.");
  assert.deepEqual(await told(), [[...asleep, 4]]);

  clock.advanceSeconds(600);
  for (let time = 0; time < 4; time += 1) fail("b", "server-error", "Broken.");
  assert.equal((await told()).length, 1, "four failures are no rest yet");
  fail("b", "server-error", "Broken.");
  assert.deepEqual((await told())[0], ["rested", "", "failing", "Broken.", 1]);

  clock.advanceSeconds(600);
  fail("b", "bad-credential", "No such key.");
  assert.deepEqual((await told())[0], ["rested", "", "key-refused", "No such key.", 1]);
  await testApp.close();
});
