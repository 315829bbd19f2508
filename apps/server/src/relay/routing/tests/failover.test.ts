import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { listChannels } from "@one-api/contract/channels/channel";
import { updateOption } from "@one-api/contract/options/option";
import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

/** What a failure before the first byte becomes: for the caller, for the channels, in the log. Nothing is ever charged. */
interface Row {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** How the channel's address begins instead of `http`. */
  readonly scheme?: "https";
  readonly status: number;
  readonly code: string | null;
  readonly retryAfter?: string;
  /** Whether another channel is asked. */
  readonly retried: boolean;
  /** Whether the same channel is asked again by the next call. */
  readonly asksAgain: boolean;
  readonly result: string;
  /** Of the provider, as the log tells it. */
  readonly statusCode: number;
  readonly end: string;
}

const usual = { retried: true, asksAgain: true } as const;
const broken = { ...usual, status: 502, code: "upstream_failed", result: "provider-failed" } as const;
const account = { ...usual, status: 502, code: "upstream_refused", result: "provider-refused" } as const;
const busy = {
  ...usual,
  status: 503,
  code: "upstream_overloaded",
  retryAfter: "1",
  result: "provider-failed",
} as const;

const ROWS: readonly Row[] = [
  {
    name: "400",
    behaviour: { kind: "refuse", status: 400, reason: "context-length-exceeded" },
    status: 400,
    code: "context_length_exceeded",
    retried: false,
    asksAgain: true,
    result: "provider-refused",
    statusCode: 400,
    end: "bad-request",
  },
  { name: "401", behaviour: { kind: "refuse", status: 401 }, ...account, statusCode: 401, end: "bad-credential" },
  { name: "403", behaviour: { kind: "refuse", status: 403 }, ...account, statusCode: 403, end: "bad-credential" },
  {
    name: "429 without credit",
    behaviour: { kind: "refuse", status: 429, reason: "insufficient-quota" },
    ...account,
    statusCode: 429,
    end: "out-of-credit",
  },
  {
    name: "404",
    behaviour: { kind: "refuse", status: 404 },
    ...usual,
    status: 404,
    code: "model_not_found",
    result: "provider-refused",
    statusCode: 404,
    end: "unknown-model",
  },
  {
    name: "429",
    behaviour: { kind: "refuse", status: 429, retryAfter: 30 },
    status: 429,
    code: "rate_limit_exceeded",
    retryAfter: "30",
    retried: true,
    asksAgain: false,
    result: "provider-limited",
    statusCode: 429,
    end: "rate-limited",
  },
  { name: "500", behaviour: { kind: "refuse", status: 500 }, ...broken, statusCode: 500, end: "server-error" },
  { name: "502", behaviour: { kind: "refuse", status: 502 }, ...broken, statusCode: 502, end: "server-error" },
  { name: "503", behaviour: { kind: "refuse", status: 503 }, ...busy, statusCode: 503, end: "overloaded" },
  { name: "529", behaviour: { kind: "refuse", status: 529 }, ...busy, statusCode: 529, end: "overloaded" },
  {
    name: "a closed connection",
    behaviour: { kind: "cut", at: "accept" },
    ...broken,
    result: "connection",
    statusCode: 0,
    end: "connection",
  },
  {
    name: "no TLS where it should be",
    behaviour: { kind: "normal" },
    scheme: "https",
    ...broken,
    result: "connection",
    statusCode: 0,
    end: "tls",
  },
  {
    name: "no first byte in time",
    behaviour: { kind: "stall" },
    ...usual,
    status: 504,
    code: "upstream_timeout",
    result: "timeout",
    statusCode: 0,
    end: "timeout",
  },
  {
    name: "a web page",
    behaviour: { kind: "malformed", fault: "html-body" },
    ...broken,
    statusCode: 200,
    end: "bad-answer",
  },
  {
    name: "an empty body",
    behaviour: { kind: "malformed", fault: "empty-body" },
    ...broken,
    statusCode: 200,
    end: "bad-answer",
  },
];

function addressOf(row: Row, upstream: StubServer): string {
  const url = upstream.at("openai");
  return row.scheme === undefined ? url : url.replace("http:", `${row.scheme}:`);
}

/** What the caller is told. */
async function outcome(answer: Response): Promise<Pick<Row, "status" | "code" | "retryAfter">> {
  const retryAfter = answer.headers.get("retry-after");
  const told = { status: answer.status, code: (await errorOf(answer)).code };
  return retryAfter === null ? told : { ...told, retryAfter };
}

/** A gateway for every row: one with short waits where it is about time, one with the usual waits for the rest, so that a slow machine fails no test. */
interface Gateways {
  readonly of: (row: Row) => { readonly gateway: RelayTest; readonly key: string };
  readonly close: () => Promise<void>;
}

async function startGateways(): Promise<Gateways> {
  const hastyWaits = { answerFirstByteMs: 2_500, streamFirstByteMs: 2_500 };
  const [hasty, patient] = [await startRelayTest({ timeouts: hastyWaits }), await startRelayTest()];
  const [hastyKey, patientKey] = [await hasty.addToken(), await patient.addToken()];
  return {
    of: ({ end }) => (end === "timeout" ? { gateway: hasty, key: hastyKey } : { gateway: patient, key: patientKey }),
    close: async () => {
      await Promise.all([hasty.close(), patient.close()]);
    },
  };
}

describe("what a provider's failure becomes", () => {
  let gateways: Gateways;

  before(async () => {
    gateways = await startGateways();
  });
  after(() => gateways.close());

  for (const stream of [false, true]) {
    for (const [index, row] of ROWS.entries()) {
      const model = `model-${index}-${stream}`;
      it(`${row.name}, ${stream ? "for a stream" : "for a whole answer"}`, async () => {
        const { gateway, key } = gateways.of(row);
        const failing = await gateway.upstream();
        failing.setBehaviour(row.behaviour);
        await gateway.addChannel(failing, { models: model, base_url: addressOf(row, failing) });
        const { status, code, retryAfter } = row;
        const told = retryAfter === undefined ? { status, code } : { status, code, retryAfter };
        const known = (await gateway.books()).logs.length;
        assert.deepEqual(await outcome(await gateway.post(CHAT, key, chatBody("hello", { model, stream }))), told);

        const books = await gateway.books();
        assert.deepEqual([books.charged, books.open, books.differences], [0, 0, 0]);
        assert.equal(books.logs.length, known + 1);
        const [log] = books.logs.slice(known);
        assert.deepEqual([log?.result, log?.status_code, log?.model_name], [row.result, row.statusCode, model]);
        assert.match(log?.detail ?? "", new RegExp(`"end":"${row.end}"`));
        assert.ok((log?.channel_id ?? 0) > 0);
      });
    }
  }
});

describe("after a provider's failure", () => {
  let gateways: Gateways;

  before(async () => {
    gateways = await startGateways();
  });
  after(() => gateways.close());

  for (const [index, row] of ROWS.entries()) {
    const model = `model-${index}`;
    it(`${row.name}: ${row.retried ? "another channel serves the call" : "no other channel is asked"}`, async () => {
      const { gateway, key } = gateways.of(row);
      const [failing, healthy] = [await gateway.upstream(), await gateway.upstream()];
      failing.setBehaviour(row.behaviour);
      await gateway.addChannel(failing, { models: model, priority: 10, base_url: addressOf(row, failing) });
      await gateway.addChannel(healthy, { models: model });
      const answer = await gateway.post(CHAT, key, chatBody("hello", { model }));
      assert.equal(answer.status, row.retried ? 200 : row.status);
      assert.equal(healthy.requests.length, row.retried ? 1 : 0);
      if (row.statusCode !== 0) assert.equal(failing.requests.length, 1);
      assert.equal((await gateway.books()).differences, 0);
    });

    if (row.scheme !== undefined) continue;
    it(`${row.name}: the channel ${row.asksAgain ? "is asked again" : "sleeps"} when there is no other`, async () => {
      const { gateway, key } = gateways.of(row);
      const failing = await gateway.upstream();
      failing.setBehaviour(row.behaviour);
      await gateway.addChannel(failing, { models: `${model}-alone` });
      const askAlone = () => gateway.post(CHAT, key, chatBody("hello", { model: `${model}-alone` }));
      await askAlone();
      failing.setBehaviour({ kind: "normal" });
      failing.clearRequests();
      assert.equal((await askAlone()).status, row.asksAgain ? 200 : row.status);
      assert.equal(failing.requests.length, row.asksAgain ? 1 : 0);
    });
  }
});

describe("again and again", () => {
  let gateway: RelayTest;
  let key: string;

  before(async () => {
    gateway = await startRelayTest();
    key = await gateway.addToken();
  });
  after(() => gateway.close());

  it("asks as many channels as RetryTimes allows, and not one more", async () => {
    for (const retryTimes of [0, 2]) {
      const model = `retried-${retryTimes}`;
      await gateway.root.data(updateOption, { body: { key: "RetryTimes", value: String(retryTimes) } });
      const upstreams = await Promise.all(Array.from({ length: 5 }, () => gateway.upstream()));
      for (const upstream of upstreams) {
        upstream.setBehaviour({ kind: "refuse", status: 500 });
        await gateway.addChannel(upstream, { models: model });
      }
      assert.equal((await gateway.post(CHAT, key, chatBody("hello", { model }))).status, 502);
      const asked = upstreams.reduce((sum, upstream) => sum + upstream.requests.length, 0);
      assert.equal(asked, 1 + retryTimes);
      const [log] = (await gateway.books()).logs.slice(-1);
      assert.equal(log?.detail.match(/"channel":/g)?.length, 1 + retryTimes);
    }
  });

  it("an outage of every channel of a model costs a fifth more attempts, not RetryTimes as many", async () => {
    await gateway.root.data(updateOption, { body: { key: "RetryTimes", value: "3" } });
    const upstreams = await Promise.all(Array.from({ length: 4 }, () => gateway.upstream()));
    for (const upstream of upstreams) {
      upstream.setBehaviour({ kind: "refuse", status: 500 });
      await gateway.addChannel(upstream, { models: "outage" });
    }
    const asked = () => upstreams.reduce((sum, upstream) => sum + upstream.requests.length, 0);
    const ask = async (times: number) => {
      for (let request = 0; request < times; request += 1)
        assert.equal((await gateway.post(CHAT, key, chatBody("hello", { model: "outage" }))).status, 502);
    };
    await ask(20);
    const first = asked();
    await ask(100);
    assert.ok(asked() - first >= 100, "each request is tried");
    assert.ok(asked() - first <= 130, `${asked() - first} attempts of 100 requests`);
  });

  it("disables a channel whose key is refused again and again, and not at the first refusal", async () => {
    await gateway.root.data(updateOption, { body: { key: "AutomaticDisableChannelEnabled", value: "true" } });
    const upstream = await gateway.upstream();
    upstream.setBehaviour({ kind: "refuse", status: 401 });
    await gateway.addChannel(upstream, { models: "refused", name: "refused" });
    const ask = async () => (await gateway.post(CHAT, key, chatBody("hello", { model: "refused" }))).status;
    const status = async () =>
      (await gateway.root.data(listChannels)).find((channel) => channel.name === "refused")?.status;
    assert.equal(await ask(), 502);
    assert.equal(await status(), CHANNEL_STATUS.enabled);
    assert.equal(await ask(), 502);
    await waitUntil(async () => (await ask()) === 503);
    assert.equal(await status(), CHANNEL_STATUS.autoDisabled);
  });
});
