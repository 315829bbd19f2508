import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getChannel, searchChannels } from "@one-api/contract/channels/channel";
import { listChannelKeys, updateChannelKey } from "@one-api/contract/channels/channel-keys";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { listOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { after, before, beforeEach, describe, it } from "node:test";
import { setOptions } from "../../testing/set-options.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../testing/start-relay-test.ts";

const KEYS = ["sk-first-key-0001", "sk-second-key-0002", "sk-third-key-0003"] as const;
const [FIRST, SECOND, THIRD] = KEYS;
const ANSWER = JSON.stringify({
  id: "x",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
/** A refused key, and one without credit. */
const REPEATED: ReadonlySet<number> = new Set([401, 402]);
const ERROR = JSON.stringify({ error: { message: "no", type: "invalid_request_error", code: null } });

describe("a channel of several keys", () => {
  let relay: RelayTest;
  let provider: Server;
  let token: string;
  let number = 0;
  /** Status that the provider answers a key with; 200 without. */
  const refusals = new Map<string, number>();
  let received: string[] = [];
  /** Refusals that wait for another one of the same key. */
  const held = new Map<string, () => void>();
  before(async () => {
    relay = await startRelayTest();
    token = await relay.addToken();
    await setOptions(relay.testApp, { AutomaticDisableChannelEnabled: "true" });
    provider = createServer((request, response) => {
      request.resume().on("end", () => {
        const key = (request.headers.authorization ?? "").replace("Bearer ", "");
        received.push(key);
        const answer = () => {
          const status = refusals.get(key) ?? 200;
          const limit = status === 429 ? { "retry-after": "60" } : {};
          response.writeHead(status, { "content-type": "application/json", ...limit });
          response.end(status === 200 ? ANSWER : ERROR);
        };
        if (!REPEATED.has(refusals.get(key) ?? 200)) return answer();
        // A key is disabled after two refusals, and the first one starts its cooldown.
        const first = held.get(key);
        if (first === undefined) return void held.set(key, answer);
        held.set(key, () => undefined);
        first();
        answer();
      });
    });
    provider.listen(0, "127.0.0.1");
    await once(provider, "listening");
  });
  after(async () => {
    provider.closeAllConnections();
    provider.close();
    await relay.close();
  });
  beforeEach(() => {
    refusals.clear();
    received = [];
    held.clear();
    number += 1;
  });

  async function add(keys: readonly string[] = KEYS): Promise<{ model: string; id: number }> {
    const address = provider.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const model = `keyed-${number}`;
    const [key = "", ...more_keys] = keys;
    await relay.addChannel({ url }, { name: model, models: model, key, more_keys });
    const [channel] = await relay.root.data(searchChannels, { query: { keyword: model } });
    return { model, id: channel?.id ?? 0 };
  }
  const ask = async (model: string, more: object = {}) => {
    const answer = await relay.post(CHAT, token, chatBody("hi", { model, ...more }));
    await answer.text();
    return answer.status;
  };
  const list = (id: number) => relay.root.data(listChannelKeys, { params: { id } });

  it("sends its requests with all of them, by their weights", async () => {
    const { model, id } = await add();
    for (let count = 0; count < 40; count += 1) assert.equal(await ask(model), 200);
    for (const [index, key] of received.entries())
      assert.equal(key, received[index % KEYS.length], "equal keys take turns");
    assert.deepEqual(new Set(received.slice(0, KEYS.length)), new Set(KEYS));
    const [first, second] = await list(id);
    await relay.root.data(updateChannelKey, { params: { id, key: first?.id ?? 0 }, body: { weight: 2 } });
    received = [];
    for (let count = 0; count < 8; count += 1) await ask(model);
    assert.deepEqual(
      KEYS.map((key) => received.filter((one) => one === key).length),
      [4, 2, 2],
    );
    for (const key of [first, second])
      await relay.root.data(updateChannelKey, { params: { id, key: key?.id ?? 0 }, body: { weight: 0 } });
    received = [];
    for (let count = 0; count < 5; count += 1) await ask(model);
    assert.deepEqual(new Set(received), new Set([THIRD]));
  });

  it("keeps a conversation at its key", async () => {
    const { model } = await add();
    const keys = new Set<string>();
    for (let conversation = 0; conversation < 12; conversation += 1) {
      received = [];
      for (let turn = 0; turn < 3; turn += 1) await ask(model, { prompt_cache_key: `conversation ${conversation}` });
      assert.equal(new Set(received).size, 1);
      keys.add(received[0] ?? "");
    }
    assert.ok(keys.size > 1, "others have other keys");
  });

  it("answers with another key when one is refused, and disables it alone; the log names the keys", async () => {
    const { model, id } = await add([FIRST, SECOND]);
    refusals.set(FIRST, 401);
    const statuses = await Promise.all(Array.from({ length: 30 }, () => ask(model)));
    assert.deepEqual(new Set(statuses), new Set([200]));
    await waitUntil(async () => (await list(id))[0]?.status === 3);
    const [first, second] = await list(id);
    assert.deepEqual([first?.end, first?.reason, second?.status], ["0001", "The provider refused the key: no", 1]);
    assert.equal((await relay.root.data(getChannel, { params: { id } })).status, 1);
    received = [];
    assert.deepEqual([await ask(model), received], [200, [SECOND]]);
    const entries = (await relay.books()).logs.filter((log) => log.model_name === model);
    const attempts = entries.map(({ detail }) =>
      listOf(recordOf(parseJson(detail))["attempts"]).map((attempt) => textOf(recordOf(attempt)["key_end"])),
    );
    assert.ok(attempts.some((keys) => keys.join() === "0001,0002"));
    assert.ok(attempts.some((keys) => keys.join() === "0002"));
    assert.ok(!JSON.stringify(entries).includes(SECOND));
  });

  it("passes over a key at its limit, and is at its limit when all are", async () => {
    const { model, id } = await add([FIRST, SECOND]);
    refusals.set(FIRST, 429);
    for (let count = 0; count < 20; count += 1) assert.equal(await ask(model), 200);
    assert.equal(received.filter((key) => key === FIRST).length, 1);
    refusals.set(SECOND, 429);
    assert.equal(await ask(model), 429);
    received = [];
    assert.equal(await ask(model), 429);
    assert.deepEqual(received, [], "neither key is asked before its time");
    assert.equal((await relay.root.data(getChannel, { params: { id } })).status, 1);
  });

  it("goes on with the keys that have credit, and disables an empty one alone", async () => {
    const { model, id } = await add();
    for (const key of [FIRST, SECOND]) refusals.set(key, 402);
    const statuses = await Promise.all(Array.from({ length: 30 }, () => ask(model)));
    assert.deepEqual(new Set(statuses), new Set([200]));
    await waitUntil(async () => (await list(id)).filter(({ status }) => status === 3).length === 2);
    assert.equal((await relay.root.data(getChannel, { params: { id } })).status, 1);
    received = [];
    assert.deepEqual([await ask(model), received], [200, [THIRD]]);
  });

  it("is disabled when its last key is", async () => {
    const { model, id } = await add([FIRST, SECOND]);
    for (const key of [FIRST, SECOND]) refusals.set(key, 401);
    await Promise.all(Array.from({ length: 30 }, () => ask(model)));
    await waitUntil(async () => (await relay.root.data(getChannel, { params: { id } })).status === 3);
    assert.deepEqual(
      (await list(id)).map(({ status }) => status),
      [3, 3],
    );
    assert.equal(await ask(model), 503);
  });
});
