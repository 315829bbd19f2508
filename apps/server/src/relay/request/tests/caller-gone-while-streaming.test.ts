import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { leaveStream } from "../../../testing/leave-stream.ts";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import type { RelayServices } from "../../create-relay.ts";
import { RelayError } from "../../errors/index.ts";
import type { RelayTimeouts } from "../../relay-timeouts.ts";

const SEEN = 20;
const LATER = 10;
const THOUGHT = 5_000;
const PROMPT = 1_500;

function piece(content: string, finish: string | null = null): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: TEST_MODEL, choices })}\n\n`;
}

const WORDS = (count: number) => piece("word ").repeat(count);
const USAGE = {
  prompt_tokens: PROMPT,
  completion_tokens: THOUGHT + SEEN + LATER,
  completion_tokens_details: { reasoning_tokens: THOUGHT },
};
function reportOf(usage: object): string {
  const report = { id: "x", object: "chat.completion.chunk", model: TEST_MODEL, choices: [], usage };
  return `data: ${JSON.stringify(report)}\n\n`;
}

const endOf = (usage: object) => `${piece("", "stop")}${reportOf(usage)}data: [DONE]\n\n`;

const REPORT = endOf(USAGE);

const PICTURE = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
const WITH_PICTURE = [{ type: "text", text: "What is this?" }, PICTURE];

/** How a caller leaves a stream. */
interface Leaving extends Partial<RelayTimeouts> {
  /** Before the last word that it takes. */
  readonly pauseMs?: number;
  /** What the provider reports before the first. */
  readonly early?: object;
}

describe("a stream whose caller leaves before the provider's report", () => {
  let gateway: RelayTest | undefined;
  let provider: RawUpstream | undefined;
  afterEach(async () => {
    await gateway?.close();
    await provider?.close();
  });

  /** Starts a stream whose caller takes twenty words and leaves; the provider has not ended it, and may have paused before the last of them. */
  async function leave(content: unknown, { pauseMs = 0, early, ...timeouts }: Leaving = {}) {
    let open: ServerResponse | undefined;
    const started = await startRelayTest({ timeouts });
    gateway = started;
    provider = await startRawUpstream((response) => {
      open = response;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write((early === undefined ? "" : reportOf(early)) + WORDS(SEEN - 1));
      setTimeout(() => response.write(WORDS(1)), pauseMs);
    });
    await started.addChannel({ url: provider.url });
    const body = { model: TEST_MODEL, stream: true, messages: [{ role: "user", content }] };
    const call = { path: CHAT, key: await started.addToken(), model: TEST_MODEL, body };
    let closed: Promise<unknown> | undefined;
    await leaveStream(started, call, (text) => {
      closed ??= open && once(open, "close");
      return (text.match(/word /g)?.length ?? 0) >= SEEN;
    });
    assert.ok(open !== undefined);
    return { started, upstream: open, closed };
  }

  async function onlyLog(started: RelayTest) {
    await started.testApp.deps.relay.inFlight.idle();
    const books = await started.books();
    assert.deepEqual([books.logs.length, books.open, books.differences], [1, 0, 0]);
    const [log] = books.logs;
    assert.ok(log !== undefined);
    assert.equal(log.result, "caller-gone");
    return log;
  }

  const isSeenAlone = (tokens: number) => tokens >= SEEN && tokens <= SEEN + 5;

  it("pays the pictures and thoughts of the report, and nothing of the answer that came later", async () => {
    const { started, upstream, closed } = await leave(WITH_PICTURE);
    assert.equal((await started.books()).logs.length, 0, "the report is waited for");
    const { bodyMemory } = started.testApp.deps.relay;
    assert.ok(bodyMemory.taken.all > 0, "its body is in memory meanwhile, and counts");
    upstream.write(WORDS(LATER));
    upstream.end(REPORT);
    const log = await onlyLog(started);
    assert.equal(log.prompt_tokens, PROMPT);
    // What was shown is counted here, and may be a token off.
    assert.ok(isSeenAlone(log.completion_tokens - THOUGHT + 1), String(log.completion_tokens));
    assert.match(log.detail, /"rule":"partial"/);
    await closed;
    assert.equal(bodyMemory.taken.all, 0);
  });

  it("pays the thoughts of a provider that was silent for long in the middle of its answer", async () => {
    const { started, upstream } = await leave("What is this?", { pauseMs: 3_200 });
    upstream.end(REPORT);
    const { completion_tokens: tokens } = await onlyLog(started);
    assert.ok(isSeenAlone(tokens - THOUGHT), String(tokens));
  });

  it("pays no thoughts that were shown after it had left", async () => {
    const { started, upstream } = await leave(WITH_PICTURE);
    upstream.write(WORDS(200).replaceAll('"content"', '"reasoning_content"'));
    const details = { completion_tokens_details: { reasoning_tokens: 200 } };
    upstream.end(endOf({ prompt_tokens: PROMPT, completion_tokens: 200 + SEEN, ...details }));
    const { completion_tokens: tokens } = await onlyLog(started);
    assert.ok(isSeenAlone(tokens), String(tokens));
  });

  it("pays no more for each time that its caller is seen to take nothing", async () => {
    const wide = `${piece("word ").slice(0, -3)},"padding":"${"x".repeat(100_000)}"}\n\n`;
    let open: ServerResponse | undefined;
    const started = await startRelayTest();
    gateway = started;
    provider = await startRawUpstream((response) => {
      open = response;
      response.writeHead(200, { "content-type": "text/event-stream" }).write(wide.repeat(150));
    });
    await started.addChannel({ url: provider.url });
    const text = JSON.stringify({
      model: TEST_MODEL,
      stream: true,
      messages: [{ role: "user", content: WITH_PICTURE }],
    });
    const head = `host: x\r\nauthorization: Bearer ${await started.addToken()}\r\ncontent-type: application/json`;
    const caller = connect(Number(new URL(started.url).port), "127.0.0.1").pause();
    caller.write(`POST ${CHAT} HTTP/1.1\r\n${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    const { inFlight } = started.testApp.deps.relay;
    const delivered = () => inFlight.list()[0]?.checkpoint()?.delivered ?? 0;
    const cut = () => inFlight.endStalled(Number.MAX_SAFE_INTEGER);
    await waitUntil(() => {
      cut();
      const socket = inFlight.list()[0]?.socket;
      return Promise.resolve(socket instanceof Socket && socket.destroyed);
    });
    const atFirst = delivered();
    open?.write(wide.repeat(50));
    await waitUntil(() => Promise.resolve(open?.writableLength === 0));
    cut();
    assert.equal(delivered(), atFirst);
    open?.end(REPORT);
    await onlyLog(started);
    caller.destroy();
  });

  it("pays what was seen where no report comes, and the provider is left", async () => {
    const { started, closed } = await leave(WITH_PICTURE, { reportMs: 300 });
    await closed;
    const log = await onlyLog(started);
    assert.ok(log.prompt_tokens !== PROMPT && isSeenAlone(log.completion_tokens), String(log.completion_tokens));
  });

  it("pays what was seen where the provider breaks off, or sends on and on", async () => {
    const { started, upstream } = await leave(WITH_PICTURE, { reportMs: 1_500 });
    upstream.write(WORDS(1_000));
    const [relay] = started.testApp.deps.relay.inFlight.list();
    const noted = relay?.checkpoint()?.delivered ?? 0;
    upstream.destroy();
    const log = await onlyLog(started);
    assert.ok(isSeenAlone(log.completion_tokens), String(log.completion_tokens));
    assert.ok(noted > 0 && noted <= log.quota, `${noted} of ${log.quota} would be charged after a crash`);
  });

  it("pays what was seen where the provider had told of its beginning alone, and breaks off", async () => {
    const early = { prompt_tokens: PROMPT, completion_tokens: 1 };
    const { started, upstream } = await leave("What is this?", { pauseMs: 3_200, early });
    upstream.destroy();
    const log = await onlyLog(started);
    assert.equal(log.prompt_tokens, PROMPT);
    assert.ok(isSeenAlone(log.completion_tokens), String(log.completion_tokens));
  });

  const error = new RelayError({ status: 403, code: "token_disabled", message: "The key was disabled." });
  const ends = {
    "the gateway stops": ({ inFlight }: RelayServices) => inFlight.drain(),
    "its key or channel is switched off": ({ inFlight }: RelayServices) => inFlight.endAll(error),
  };
  for (const [when, end] of Object.entries(ends)) {
    it(`is booked at once when ${when}`, async () => {
      const { started, closed } = await leave(WITH_PICTURE);
      end(started.testApp.deps.relay);
      await closed;
      assert.ok(isSeenAlone((await onlyLog(started)).completion_tokens));
    });
  }

  it("is left at once where nothing is hidden, or nobody wants to wait", async () => {
    const plain = await leave("What is this?");
    await plain.closed;
    assert.ok(isSeenAlone((await onlyLog(plain.started)).completion_tokens));
    await gateway?.close();
    await provider?.close();
    const impatient = await leave(WITH_PICTURE, { reportMs: 0 });
    await impatient.closed;
    assert.ok(isSeenAlone((await onlyLog(impatient.started)).completion_tokens));
  });
});
