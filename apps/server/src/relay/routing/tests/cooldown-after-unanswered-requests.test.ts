import assert from "node:assert/strict";
import { test } from "node:test";
import { listChannels } from "@one-api/contract/channels/channel";
import { listChannelDecisions } from "@one-api/contract/channels/channel-decision";
import { startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, chatBody, startRelayTest } from "../../../testing/start-relay-test.ts";

const PATIENCE_MS = 600;

test("callers who all give up sooner than the gateway have the next ones sent past a silent channel", async (t) => {
  let silentlyAsked = 0;
  const silent = await startRawUpstream(() => {
    silentlyAsked += 1;
  });
  const relay = await startRelayTest({ timeouts: { streamFirstByteMs: 3 * PATIENCE_MS } });
  t.after(async () => {
    await relay.close();
    await silent.close();
  });
  const well = await relay.upstream();
  await relay.addChannel(silent, { name: "silent", priority: 1 });
  await relay.addChannel(well, { name: "well" });
  const { client } = await relay.testApp.logInAs("user", { quota: 50_000_000 });
  const [rootsKey, usersKey] = [await relay.addToken(), await relay.addToken({}, client)];
  const ask = (key: string) => {
    const body = JSON.stringify(chatBody("hello", { stream: true }));
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return fetch(relay.url + CHAT, { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE_MS) });
  };

  for (const key of [rootsKey, usersKey]) await assert.rejects(ask(key), { name: "TimeoutError" });
  await relay.testApp.deps.relay.inFlight.idle();
  await assert.rejects(ask(usersKey), { name: "TimeoutError" });
  await relay.testApp.deps.relay.inFlight.idle();
  assert.deepEqual([silentlyAsked, well.requests.length], [3, 0]);
  const answer = await ask(rootsKey);
  assert.equal(answer.status, 200);
  await answer.text();
  assert.deepEqual([silentlyAsked, well.requests.length], [3, 1]);

  const channels = await relay.root.data(listChannels);
  const id = channels.find(({ name }) => name === "silent")?.id ?? 0;
  const [decision] = await relay.root.data(listChannelDecisions, { params: { id } });
  assert.deepEqual([decision?.kind, decision?.code, decision?.undo], ["model-slept", "silent", "wake"]);
});
