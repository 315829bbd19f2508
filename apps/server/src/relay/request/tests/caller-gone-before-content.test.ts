import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { whenDisconnected } from "../../../testing/leave-stream.ts";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";
import type { RelayTimeouts } from "../../relay-timeouts.ts";

const PROMPT = 1_500;
const THOUGHT = 5_000;
const SSE = { "content-type": "text/event-stream" };
/** 200 tokens and what frames them. */
const QUESTION = "word ".repeat(200);

function event(more: object): string {
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: TEST_MODEL, ...more })}\n\n`;
}
const word = event({ choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }] });
const report = event({
  choices: [],
  usage: {
    prompt_tokens: PROMPT,
    completion_tokens: THOUGHT + 2,
    completion_tokens_details: { reasoning_tokens: THOUGHT },
  },
});

describe("a stream whose caller leaves before its first word", () => {
  let gateway: RelayTest | undefined;
  let provider: RawUpstream | undefined;
  afterEach(async () => {
    await gateway?.close();
    await provider?.close();
  });

  /** Leaves `afterMs` after the provider has begun its answer with `beginning`. */
  async function leave(
    beginning: string,
    { afterMs = 0, ...timeouts }: Partial<RelayTimeouts> & { afterMs?: number } = {},
  ) {
    const asked = Promise.withResolvers<ServerResponse>();
    const started = await startRelayTest({ timeouts });
    gateway = started;
    let calls = 0;
    provider = await startRawUpstream((response) => {
      calls += 1;
      response.writeHead(200, SSE);
      if (calls > 1) return response.end(`${word}${report}data: [DONE]\n\n`);
      response.flushHeaders();
      response.write(beginning);
      asked.resolve(response);
    });
    await started.addChannel({ url: provider.url });
    const key = await started.addToken();
    const body = JSON.stringify({ model: TEST_MODEL, stream: true, messages: [{ role: "user", content: QUESTION }] });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const leaving = new AbortController();
    const call = fetch(started.url + CHAT, { method: "POST", headers, body, signal: leaving.signal });
    const upstream = await asked.promise;
    const [relay] = started.testApp.deps.relay.inFlight.list();
    // What came to the gateway before the answer of another call has been read.
    await (await fetch(started.url + CHAT, { method: "POST", headers, body })).text();
    await wait(afterMs);
    const left = whenDisconnected(relay);
    leaving.abort();
    await assert.rejects(call);
    await left;
    return { started, upstream };
  }

  async function logOf(started: RelayTest) {
    await started.testApp.deps.relay.inFlight.idle();
    const { logs, open, differences } = await started.books();
    assert.deepEqual([logs.length, open, differences], [2, 0, 0]);
    const log = logs.find(({ result }) => result === "caller-gone");
    assert.ok(log !== undefined);
    assert.equal(log.first_byte_ms, 0);
    return log;
  }

  it("pays the prompt that the provider has taken", async () => {
    const { started } = await leave(": thinking\n\n");
    const log = await logOf(started);
    assert.ok(log.prompt_tokens >= 200 && log.prompt_tokens < 220, String(log.prompt_tokens));
    assert.equal(log.completion_tokens, 0);
    assert.ok(log.quota > 0);
    assert.match(log.detail, /"rule":"partial"/);
  });

  it("pays the thoughts, too, of a provider that was silent for long and reports them", async () => {
    const { started, upstream } = await leave("", { afterMs: 3_200 });
    upstream.end(`${word}${report}data: [DONE]\n\n`);
    const log = await logOf(started);
    assert.deepEqual([log.prompt_tokens, log.completion_tokens], [PROMPT, THOUGHT]);
    assert.equal(log.detail.match(/"channel":/g)?.length, 1, "one attempt");
  });

  it("pays the prompt alone where no report comes in time", async () => {
    const { started } = await leave("", { afterMs: 3_200, reportMs: 300 });
    const { prompt_tokens: prompt, completion_tokens: completion } = await logOf(started);
    assert.ok(prompt >= 200 && prompt < 220 && completion === 0, `${prompt}, ${completion}`);
  });

  it("pays nothing where the provider fails before a word", async () => {
    const { started, upstream } = await leave("", { afterMs: 3_200 });
    upstream.end(event({ error: { message: "no", type: "server_error" } }));
    assert.deepEqual([(await logOf(started)).quota, (await logOf(started)).prompt_tokens], [0, 0]);
  });
});
