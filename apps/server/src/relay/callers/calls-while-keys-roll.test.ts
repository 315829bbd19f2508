import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { endOldTokenKey, getToken, rollTokenKey } from "@one-api/contract/token";
import { whyMissing } from "@one-api/database/test-databases";
import {
  CHAT,
  chatBody,
  errorOf,
  type RelayTest,
  startRelayTest,
  whenRefused,
} from "../../testing/start-relay-test.ts";
import { startTwoServers } from "../../testing/start-two-servers.ts";
import { endRevoked } from "../in-flight/index.ts";

const HOUR = 3_600;
const TOKEN = { params: { id: 1 } };

const roll = async ({ root }: RelayTest, seconds: number) => {
  const { key } = await root.data(rollTokenKey, { ...TOKEN, body: { overlap_seconds: seconds } });
  return `sk-${key}`;
};

describe("calls during a key rotation", () => {
  let gateway: RelayTest;
  let first: string;
  beforeEach(async () => {
    gateway = await startRelayTest();
    first = await gateway.addToken();
  });
  afterEach(() => gateway.close());

  it("count for one token with either key, and none is lost or refused", async () => {
    await gateway.addChannel(await gateway.upstream());
    const used = new Set([first]);
    const calls: Promise<Response>[] = [];
    for (let round = 0; round < 5; round += 1) {
      const keys = [...used].slice(-2);
      for (let index = 0; index < 6; index += 1)
        calls.push(gateway.post(CHAT, keys[index % keys.length] ?? first, chatBody("hello")));
      // Each rotation ends the key before the last, so its calls must end first.
      await Promise.all(calls);
      used.add(await roll(gateway, HOUR));
    }
    for (const call of calls) {
      const answer = await call;
      assert.equal(answer.status, 200);
      await answer.text();
    }
    await gateway.testApp.deps.relay.inFlight.idle();
    const { charged, logs, differences } = await gateway.books();
    assert.deepEqual([logs.length, differences], [30, 0]);
    assert.equal((await gateway.root.data(getToken, TOKEN)).used_quota, charged);
  });

  it("with an ended key stop and are charged; those with the new key continue", async () => {
    const upstream = await gateway.upstream();
    upstream.setBehaviour({ kind: "endless", chunkDelayMs: 5 });
    await gateway.addChannel(upstream);
    const second = await roll(gateway, HOUR);
    const streams = [];
    for (const key of [first, second]) {
      const answer = await gateway.post(CHAT, key, chatBody("x", { stream: true }));
      assert.equal(answer.status, 200);
      streams.push(answer.text());
    }
    await endRevoked(gateway.testApp.deps.relay);
    assert.equal(gateway.testApp.deps.relay.inFlight.list().length, 2);
    await gateway.root.data(endOldTokenKey, TOKEN);
    await endRevoked(gateway.testApp.deps.relay);
    assert.match((await streams[0]) ?? "", /"code":"key_replaced"\}\}\n\n$/);
    const running = gateway.testApp.deps.relay.inFlight.list().map(({ parties }) => parties?.key);
    assert.ok(running.includes(second.slice("sk-".length)), "the stream with the present key goes on");
    await roll(gateway, 0);
    await endRevoked(gateway.testApp.deps.relay);
    assert.match((await streams[1]) ?? "", /"code":"key_replaced"\}\}\n\n$/);
    await gateway.testApp.deps.relay.inFlight.idle();
    const { logs, charged, differences, open } = await gateway.books();
    assert.deepEqual([logs.map(({ result }) => result), differences, open], [["cut", "cut"], 0, 0]);
    assert.ok(charged > 0);
  });

  it("with a replaced key are refused with that reason, and logged", async () => {
    await roll(gateway, 0);
    const refused = await gateway.post(CHAT, first, chatBody("hello"));
    assert.equal(refused.status, 401);
    const { code, message } = await errorOf(refused);
    assert.equal(code, "key_replaced");
    assert.match(message, /replaced by a newer one/);
    const { logs } = await gateway.books();
    assert.deepEqual(
      logs.map(({ result }) => result),
      ["refused"],
    );
  });
});

describe("a key that ends on one of two servers", { skip: whyMissing("postgres") ?? false }, () => {
  const both = startTwoServers();

  it("is refused by the other one too, and the new key works there at once", async () => {
    const [one, other] = both();
    await one.addChannel(await one.upstream());
    const first = await one.addToken();
    const call = (key: string) => other.post(CHAT, key, chatBody("hello"));
    assert.equal((await call(first)).status, 200);
    const second = await roll(one, 0);
    assert.equal((await call(second)).status, 200);
    assert.equal((await errorOf(await whenRefused(() => call(first)))).code, "key_replaced");
    assert.equal((await call(second)).status, 200);
  });
});
