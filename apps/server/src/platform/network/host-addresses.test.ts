import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { createServer } from "node:http";
import { beforeEach, describe, it, mock } from "node:test";
import { portOf } from "@one-api/http1/testing/port-of";
import { fetchJson } from "./fetch-json.ts";
import { HostAddresses } from "./host-addresses.ts";

const HOST = "provider.example";
const [FIRST, SECOND] = [[{ address: "192.0.2.1", family: 4 }], [{ address: "192.0.2.2", family: 4 }]];

describe("addresses of a host name", () => {
  let nowMs: number;
  let questions: number;
  let ttl: number | undefined;
  let ask: () => Promise<typeof FIRST>;
  let hosts: HostAddresses;
  beforeEach(() => {
    [nowMs, questions, ttl] = [0, 0, 60];
    ask = async () => FIRST;
    const resolver = {
      addresses: async () => {
        questions++;
        return await ask();
      },
      ttlSeconds: async () => ttl,
    };
    hosts = new HostAddresses(resolver, () => nowMs);
  });
  const find = () => hosts.find(HOST);

  for (const [record, seconds, lastMs] of [
    ["its TTL", 60, 60_000],
    ["five minutes at most", 86_400, 300_000],
    ["a second at least", 0, 1_000],
    ["30 seconds without a record in DNS", undefined, 30_000],
  ] as const) {
    it(`are used for ${record}`, async () => {
      ttl = seconds;
      assert.deepEqual(await find(), FIRST);
      ask = async () => SECOND;
      nowMs = lastMs - 1;
      assert.deepEqual([await find(), questions], [FIRST, 1]);
      nowMs = lastMs;
      assert.deepEqual([await find(), questions], [SECOND, 2]);
    });
  }

  it("are asked for once by calls at the same time", async () => {
    await Promise.all([find(), find(), find()]);
    assert.equal(questions, 1);
  });

  it("serve for a minute while DNS fails, and its error is passed on after that", async () => {
    await find();
    ask = () => Promise.reject(Object.assign(new Error("DNS"), { code: "EAI_AGAIN" }));
    nowMs = 60_000 + 59_999;
    assert.deepEqual(await find(), FIRST);
    assert.deepEqual(await find(), FIRST);
    assert.equal(hosts.isCurrent(HOST, "192.0.2.1"), true);
    assert.equal(questions, 2, "DNS is asked once a second");
    nowMs = 60_000 + 60_000;
    await assert.rejects(find(), { code: "EAI_AGAIN" });
    ask = async () => SECOND;
    assert.deepEqual(await find(), SECOND);
  });

  it("serve while DNS is slow", async (t) => {
    await find();
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const late = Promise.withResolvers<typeof FIRST>();
    ask = () => late.promise;
    nowMs = 60_000;
    const found = find();
    t.mock.timers.tick(1_000);
    assert.deepEqual(await found, FIRST);
    late.resolve(SECOND);
    await late.promise;
    assert.deepEqual([await find(), questions], [SECOND, 2]);
  });

  it("are no longer current once the answer lacks them, which a kept connection asks for", async () => {
    assert.equal(hosts.isCurrent(HOST, "192.0.2.9"), true, "nothing is known");
    await find();
    assert.equal(hosts.isCurrent(HOST, "192.0.2.1"), true);
    ask = async () => SECOND;
    nowMs = 60_000;
    assert.equal(hosts.isCurrent(HOST, "192.0.2.1"), true, "DNS is asked in the background");
    assert.deepEqual(await find(), SECOND);
    assert.equal(hosts.isCurrent(HOST, "192.0.2.1"), false);
    assert.equal(questions, 2);
  });
});

describe("a connection to a host name", () => {
  it("goes to the next address if one refuses, and the name is looked up once", async (t) => {
    const server = createServer((_request, response) =>
      response.setHeader("connection", "close").end('{"ok":true}'),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => {
      server.close();
      server.closeAllConnections();
      mock.restoreAll();
    });
    const both = ["127.0.0.2", "127.0.0.1"].map((address) => ({ address, family: 4 }));
    const lookUp = mock.method(dns, "lookup", (_name: string, _options: object, done: (...found: unknown[]) => void) =>
      process.nextTick(() => done(null, both)),
    );
    for (let count = 0; count < 2; count++)
      assert.deepEqual(await fetchJson(`http://two-addresses.example:${portOf(server)}/`, { method: "GET" }), {
        ok: true,
      });
    assert.equal(lookUp.mock.callCount(), 1);
  });
});
