import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { whenDisconnected } from "../../../testing/leave-stream.ts";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import type { RelayTimeouts } from "../../relay-timeouts.ts";

/** 200 tokens and what frames them. */
const QUESTION = "word ".repeat(200);
const MESSAGES = [{ role: "user", content: QUESTION }];
const CONTENTS = { contents: [{ role: "user", parts: [{ text: QUESTION }] }] };
const MODEL = "gemini-2.5-flash";

/** A call of each dialect: [what, path, body, channel type]. The second and third channel type speak another format than the caller. */
const CALLS = [
  ["chat, whole", CHAT, { messages: MESSAGES }, 1],
  ["chat, streamed", CHAT, { messages: MESSAGES, stream: true }, 1],
  ["chat through Claude, whole", CHAT, { messages: MESSAGES }, 14],
  ["completions, whole", "/v1/completions", { prompt: QUESTION }, 1],
  ["responses, whole", "/v1/responses", { input: QUESTION }, 1],
  ["responses, streamed", "/v1/responses", { input: QUESTION, stream: true }, 1],
  ["messages, whole", "/v1/messages", { messages: MESSAGES, max_tokens: 9 }, 14],
  ["messages through chat, streamed", "/v1/messages", { messages: MESSAGES, max_tokens: 9, stream: true }, 1],
  ["gemini, whole", `/v1beta/models/${MODEL}:generateContent`, CONTENTS, 24],
  ["gemini through chat, streamed", `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`, CONTENTS, 1],
  ["embeddings", "/v1/embeddings", { input: QUESTION }, 1],
] as const;

describe("a caller who leaves before anything of its answer has come", () => {
  let gateway: RelayTest | undefined;
  let provider: RawUpstream | undefined;
  afterEach(async () => {
    await gateway?.close();
    await provider?.close();
  });

  async function start(type: number, answer: (response: ServerResponse) => void, timeouts: Partial<RelayTimeouts>) {
    const started = await startRelayTest({ timeouts });
    gateway = started;
    provider = await startRawUpstream(answer);
    await started.addChannel({ url: provider.url }, { type, models: MODEL });
    return { started, key: await started.addToken() };
  }

  /** Calls, and leaves so many ms after the provider has read the request. Returns the provider's side, and what the log says once all is booked. */
  async function leave(
    [, path, body, type]: (typeof CALLS)[number],
    { afterMs = 0, begin, ...timeouts }: Leaving = {},
  ): Promise<{
    upstream: ServerResponse;
    log: () => Promise<Awaited<ReturnType<RelayTest["books"]>>["logs"][number]>;
  }> {
    const asked = Promise.withResolvers<ServerResponse>();
    const taken = (response: ServerResponse): void => {
      begin?.(response);
      asked.resolve(response);
    };
    const { started, key } = await start(type, taken, timeouts);
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const sent = JSON.stringify({ model: MODEL, ...body });
    const call = fetch(started.url + path, { method: "POST", headers, body: sent, signal: leaving.signal });
    const upstream = await asked.promise;
    await wait(afterMs);
    const left = whenDisconnected(started.testApp.deps.relay.inFlight.list()[0]);
    leaving.abort();
    await assert.rejects(call);
    await left;
    return {
      upstream,
      async log() {
        await started.testApp.deps.relay.inFlight.idle();
        const { logs, open, differences } = await started.books();
        assert.deepEqual([logs.length, open, differences], [1, 0, 0]);
        const [only] = logs;
        assert.ok(only !== undefined);
        return only;
      },
    };
  }

  for (const call of CALLS) {
    it(`pays the prompt that the provider has taken: ${call[0]}`, async () => {
      const { prompt_tokens: prompt, completion_tokens, quota, result } = await (await leave(call)).log();
      assert.ok(prompt >= 200 && prompt < 230, String(prompt));
      assert.deepEqual([completion_tokens, result], [0, "caller-gone"]);
      assert.ok(quota > 0);
    });
  }

  it("pays the thoughts, too, that a silent provider reports of a whole answer", async () => {
    const { upstream, log } = await leave(CALLS[0], { afterMs: 3_200 });
    const usage = { prompt_tokens: 900, completion_tokens: 70, completion_tokens_details: { reasoning_tokens: 50 } };
    const choices = [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }];
    upstream.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ choices, usage }));
    const { prompt_tokens, completion_tokens } = await log();
    assert.deepEqual([prompt_tokens, completion_tokens], [900, 50]);
  });

  it("pays nothing where the provider has refused the request", async () => {
    const refusing = { begin: (response: ServerResponse) => void response.writeHead(500).write("Out of order") };
    const { log } = await leave(CALLS[0], { ...refusing, afterMs: 100 });
    const { quota, prompt_tokens } = await log();
    assert.deepEqual([quota, prompt_tokens], [0, 0]);
  });
});

interface Leaving extends Partial<RelayTimeouts> {
  readonly afterMs?: number;
  /** What the provider does when it has read the request. */
  readonly begin?: (response: ServerResponse) => void;
}
