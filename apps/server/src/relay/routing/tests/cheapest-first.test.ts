import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { listChannelShares } from "@one-api/contract/channels/channel-share";
import { getLog, listLogs } from "@one-api/contract/logs/log";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";

const MODEL = "gpt-4o";

describe("pool mode cheapest", () => {
  let gateway: RelayTest;
  let upstream: Record<"dear" | "cheap" | "later", StubServer>;
  let key: string;
  beforeEach(async () => {
    gateway = await startRelayTest();
    await setOptions(gateway.testApp, { PoolMode: "cheapest" });
    upstream = { dear: await gateway.upstream(), cheap: await gateway.upstream(), later: await gateway.upstream() };
    await gateway.addChannel(upstream.dear, { name: "dear", models: MODEL, weight: 9 });
    const costs = (factor: number) => JSON.stringify({ "*": { factor } });
    await gateway.addChannel(upstream.cheap, { name: "cheap", models: MODEL, weight: 1, costs: costs(0.5) });
    await gateway.addChannel(upstream.later, { name: "later", models: MODEL, priority: -1, costs: costs(0.1) });
    key = await gateway.addToken();
  });
  afterEach(() => gateway.close());

  const ask = async () => {
    const answer = await gateway.post(CHAT, key, chatBody("hello", { model: MODEL }));
    assert.equal(answer.status, 200);
    await answer.text();
    await gateway.lastLog();
    const [entry] = await gateway.root.data(listLogs, { query: {} });
    const { channel_names, detail } = await gateway.root.data(getLog, { params: { id: entry?.id ?? 0 } });
    const nameOf = (id: number) => channel_names.find((channel) => channel.id === id)?.name;
    const choice = detail?.attempts.at(-1)?.choice;
    return {
      served: nameOf(detail?.attempts.at(-1)?.channel ?? 0),
      by: choice?.by,
      passed: Object.fromEntries((choice?.passed ?? []).map(({ channel, reason }) => [nameOf(channel) ?? "", reason])),
    };
  };

  it("uses the channel of the lowest cost among those of the highest priority, whatever the weights", async () => {
    for (let request = 0; request < 5; request += 1) {
      assert.deepEqual(await ask(), {
        served: "cheap",
        by: "cost",
        passed: { dear: "dearer", later: "lower-priority" },
      });
    }
    const shares = await gateway.root.data(listChannelShares, { query: { model: MODEL } });
    assert.deepEqual(
      shares.map(({ name, share, code }) => [name, share, code]),
      [
        ["cheap", 1, ""],
        ["dear", 0, "dearer"],
        ["later", 0, "lower-priority"],
      ],
    );
  });

  it("uses the next cheapest when it fails", async () => {
    upstream.cheap.setBehaviour({ kind: "refuse", status: 500 });
    assert.equal((await ask()).served, "dear");
  });

  it("passes over a channel that is too slow, unless all are", async () => {
    const { health } = gateway.testApp.deps.relay;
    await setOptions(gateway.testApp, { CheapestMaxLatency: "2" });
    const [cheap, dear] = await Promise.all(["cheap", "dear"].map(idOf));
    health.recordLatency(cheap ?? 0, MODEL, 5_000);
    assert.deepEqual(await ask(), { served: "dear", by: "cost", passed: { cheap: "slow", later: "lower-priority" } });
    for (let time = 0; time < 50; time += 1) health.recordLatency(dear ?? 0, MODEL, 60_000);
    assert.equal((await ask()).served, "cheap");
  });

  it("shares the requests among channels of the same cost by weight, and counts an unknown cost as the dearest", async () => {
    const unknown = await gateway.upstream();
    await gateway.addChannel(unknown, { name: "unknown", models: "own-model", weight: 50 });
    await gateway.addChannel(upstream.cheap, {
      name: "known",
      models: "own-model",
      weight: 1,
      costs: JSON.stringify({ "own-model": { input: 400, output: 400 } }),
    });
    const shares = await gateway.root.data(listChannelShares, { query: { model: "own-model" } });
    assert.deepEqual(
      shares.map(({ name, share }) => [name, share]),
      [
        ["known", 1],
        ["unknown", 0],
      ],
    );
    await gateway.addChannel(upstream.dear, {
      name: "twin",
      models: "own-model",
      weight: 3,
      costs: JSON.stringify({ "own-model": { input: 400, output: 400 } }),
    });
    const split = await gateway.root.data(listChannelShares, { query: { model: "own-model" } });
    assert.deepEqual(Object.fromEntries(split.map(({ name, share }) => [name, share])), {
      twin: 0.75,
      known: 0.25,
      unknown: 0,
    });
  });

  async function idOf(name: string): Promise<number> {
    const { db } = gateway.testApp.database;
    return (await db.selectFrom("channels").select("id").where("name", "=", name).executeTakeFirstOrThrow()).id;
  }
});
