import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, it, type TestContext } from "node:test";
import { recordOf } from "@one-api/providers/shared/json-fields";
import { WebSocketServer } from "ws";
import { isTurnEnd, openLive, openSession, type Session } from "../../testing/open-session.ts";
import { controlCommits } from "../../testing/ledger/control-commits.ts";
import { startRelayTest } from "../../testing/start-relay-test.ts";
import { withGateway } from "../../testing/with-gateway.ts";

const LIVE = "gemini-3.1-flash-live-preview";
const TEXT = { output_modalities: ["text"] };
const codeOf = (event: Readonly<Record<string, unknown>>): unknown => recordOf(event["error"])["code"];

describe("a realtime session with a faulty caller or provider", () => {
  const stage = withGateway([{ models: "gpt-realtime" }, { type: 24, models: LIVE }]);
  const opened: Session[] = [];
  afterEach(async () => {
    for (const { socket } of opened.splice(0)) socket.terminate();
    await stage.gateway.testApp.deps.relay.inFlight.idle();
    const books = await stage.gateway.books();
    assert.deepEqual([books.open, books.differences], [0, 0]);
  });
  async function open(model = "gpt-realtime"): Promise<Session> {
    const session = await openSession(stage.gateway.url, stage.key, { model });
    opened.push(session);
    await session.next("session.created");
    return session;
  }
  /** A channel with the test's own provider. */
  async function addProvider(t: TestContext, fields: { models: string; name: string }): Promise<WebSocketServer> {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    t.after(() => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    });
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object");
    await stage.gateway.addChannel({ url: `http://127.0.0.1:${address?.port}` }, fields);
    return server;
  }
  const lastRow = async () => {
    await stage.gateway.testApp.deps.relay.inFlight.idle();
    return (await stage.gateway.books()).logs.findLast(({ result }) => result !== "refused");
  };

  it("closes on a message that is too large", async () => {
    const session = await open();
    session.socket.send(Buffer.alloc(50 * 1024 * 1024, 0x20), { binary: false });
    assert.ok([1006, 1009].includes(await session.closed()));
  });

  it("forwards ten thousand small events in order, without loss", async () => {
    const session = await open();
    for (let count = 0; count < 10_000; count += 1) session.send({ type: "input_audio_buffer.append", audio: "AQEB" });
    session.send({ type: "input_audio_buffer.clear" });
    await session.next("input_audio_buffer.cleared");
    const text = stage.upstream.requests.at(-1)?.bodyText ?? "";
    assert.equal(text.split("\n").filter((line) => line.includes("append")).length, 10_000);
    assert.match(text, /clear"\}\n$/);
  });

  it("forwards long sound unchanged", async () => {
    const session = await open();
    const audio = Buffer.alloc(9 * 1024 * 1024, 1).toString("base64");
    session.send({ type: "input_audio_buffer.append", audio });
    session.send({ type: "input_audio_buffer.commit" });
    await session.next("input_audio_buffer.committed");
    assert.equal((await session.ask("so?"))["type"], "response.done");
  });

  it("answers an invalid event with an error, does not forward it, and ends after many", async () => {
    const session = await open();
    for (const text of ["{", "[]", "null", '{"type":', "\u0000"]) session.socket.send(text);
    await session.next(() => session.events.filter(({ type }) => type === "error").length === 5);
    assert.equal(stage.upstream.requests.at(-1)?.bodyText, "");
    assert.equal((await session.ask("still here?"))["type"], "response.done");
    for (let count = 0; count < 200; count += 1) session.socket.send("{");
    assert.equal(await session.closed(), 1008);
  });

  /** Sessions with an answer of sound. */
  const spoken = {
    "OpenAI's": async () => {
      const session = await open();
      session.send({ type: "response.create", response: { output_modalities: ["audio"] } });
      await session.next("response.output_audio.delta");
      return session;
    },
    "Google's": async () => {
      const generationConfig = { responseModalities: ["AUDIO"] };
      const session = await openLive(stage.gateway.url, stage.key, { model: `models/${LIVE}`, generationConfig });
      opened.push(session);
      await session.next((event) => "setupComplete" in event);
      session.send({ clientContent: { turns: [{ parts: [{ text: "go on" }] }], turnComplete: true } });
      await session.next((event) => "serverContent" in event);
      return session;
    },
  };
  for (const [name, openSpoken] of Object.entries(spoken)) {
    it(`applies backpressure to the provider, and ends when the caller reads nothing: ${name}`, async () => {
      stage.upstream.setBehaviour({ kind: "endless", chunkDelayMs: 0 });
      const session = await openSpoken();
      session.socket.pause();
      const { inFlight, clock } = stage.gateway.testApp.deps.relay;
      const record = stage.upstream.requests.at(-1);
      // The buffers of both connections and the gateway fill up, then nothing moves.
      let sent = -1;
      while (sent !== record?.bytesSent && (record?.bytesSent ?? 0) < 200 * 1024 * 1024) {
        sent = record?.bytesSent ?? 0;
        await new Promise((resolve) => setTimeout(resolve, 300));
        inFlight.endStalled(clock.monotonicMs());
      }
      assert.ok(sent < 100 * 1024 * 1024, `${sent} bytes were read`);
      inFlight.endStalled(clock.monotonicMs() + 61_000);
      const row = await lastRow();
      assert.deepEqual([row?.result, (row?.quota ?? 0) > 0], ["caller-gone", true]);
    });
  }

  it("ends an answer in which the provider stops, charged as delivered", async () => {
    stage.upstream.setBehaviour({ kind: "stall", afterChunks: 1 });
    const session = await open();
    session.send({ type: "response.create", response: TEXT });
    await session.next("response.output_text.delta");
    const { inFlight, clock } = stage.gateway.testApp.deps.relay;
    inFlight.endStalled(clock.monotonicMs() + 121_000);
    assert.equal(codeOf(await session.next("error")), "upstream_timeout");
    const row = await lastRow();
    assert.deepEqual([row?.result, (row?.quota ?? 0) > 0], ["cut", true]);
  });

  it("writes checkpoints of an answer, for a restart after a crash", async () => {
    stage.upstream.setBehaviour({ kind: "endless" });
    const session = await open();
    session.send({ type: "response.create", response: TEXT });
    await session.next("response.output_text.delta");
    const { inFlight, ledger } = stage.gateway.testApp.deps.relay;
    const [checkpoint, ...others] = await inFlight.checkpoints();
    assert.deepEqual([others.length, checkpoint?.channelId, (checkpoint?.delivered ?? 0) > 0], [0, 1, true]);
    await ledger.checkpoint(checkpoint === undefined ? [] : [checkpoint]);
    session.socket.close();
    const row = await lastRow();
    assert.ok((row?.quota ?? 0) >= (checkpoint?.delivered ?? 0));
  });

  it("ends when both sides are idle for a long time", async () => {
    const session = await open();
    const { inFlight, clock } = stage.gateway.testApp.deps.relay;
    inFlight.endStalled(clock.monotonicMs() + 899_000);
    assert.equal(session.socket.readyState, session.socket.OPEN);
    inFlight.endStalled(clock.monotonicMs() + 901_000);
    assert.equal(codeOf(await session.next("error")), "session_idle");
    assert.equal(await session.closed(), 1008);
  });

  it("refuses a second Authorization and a broken handshake", async () => {
    const handshake = {
      upgrade: "websocket",
      connection: "Upgrade",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const statusOf = (headers: Record<string, string | string[]>) =>
      new Promise((resolve, reject) => {
        const call = request(`${stage.gateway.url}/v1/realtime?model=gpt-realtime`, { headers });
        call.on("response", (answer) => resolve(answer.resume().statusCode));
        call.on("upgrade", (_answer, socket) => {
          socket.destroy();
          resolve(101);
        });
        call.on("error", reject).end();
      });
    const authorization = `Bearer ${stage.key}`;
    assert.equal(await statusOf({ ...handshake, authorization }), 101);
    const asked = stage.upstream.requests.length;
    assert.equal(await statusOf({ ...handshake, "sec-websocket-key": "short", authorization }), 400);
    assert.equal(await statusOf({ ...handshake, "sec-websocket-version": "8", authorization }), 400);
    const socket = connect(Number(new URL(stage.gateway.url).port), "127.0.0.1");
    const lines = Object.entries(handshake).map(([name, value]) => `${name}: ${value}\r\n`);
    const twice = `authorization: Bearer nobody\r\nauthorization: ${authorization}\r\n`;
    socket.write(`GET /v1/realtime?model=gpt-realtime HTTP/1.1\r\nhost: x\r\n${twice}${lines.join("")}\r\n`);
    const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(data.toString())));
    assert.match(answer, /^HTTP\/1\.1 400 /);
    socket.destroy();
    assert.equal(stage.upstream.requests.length, asked);
  });

  it("ends when the provider reports another model, and charges nothing without a report or an answer", async (t) => {
    const server = await addProvider(t, { models: "gpt-realtime-mini", name: "changing" });
    server.on("connection", (socket) => {
      const say = (type: string, model: string) => socket.send(JSON.stringify({ type, session: { model } }));
      say("session.created", "gpt-realtime-mini");
      socket.on("message", () => say("session.updated", "gpt-realtime"));
    });
    const session = await open("gpt-realtime-mini");
    session.send({ type: "session.update", session: { type: "realtime", instructions: "x" } });
    assert.equal(codeOf(await session.next("error")), "upstream_failed");
    assert.equal(await session.closed(), 1011);
  });

  it("charges at most the reservation for an implausible report, and for an unannounced answer", async (t) => {
    const server = await addProvider(t, { models: "gpt-4o-realtime-preview", name: "lying" });
    server.on("connection", (socket) => {
      const say = (event: object) => socket.send(JSON.stringify(event));
      say({ type: "session.created", session: { model: "gpt-4o-realtime-preview" } });
      const usage = { input_tokens: 1e12, output_tokens: 1e12, total_tokens: 2e12 };
      socket.on("message", () => say({ type: "response.done", response: { id: "r", status: "completed", usage } }));
    });
    const session = await open("gpt-4o-realtime-preview");
    session.send({ type: "response.create" });
    await session.next("response.done");
    const books = await stage.gateway.books();
    const row = books.logs.findLast(({ result }) => result === "ok");
    assert.match(row?.detail ?? "", /"odd-completion-tokens"/);
    assert.ok((row?.quota ?? 0) > 0 && (row?.quota ?? 0) < 1_000_000);
  });
});

describe("the end of an answer of a session", () => {
  it("is sent only after its charge is committed, and not if that fails", async () => {
    const commits = controlCommits();
    const gateway = await startRelayTest({ aroundStorage: commits.around, timeouts: { settleMs: 300 } });
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { models: "gpt-realtime" });
    const session = await openSession(gateway.url, await gateway.addToken());
    commits.pause("settle");
    const done = session.ask("held");
    await commits.paused();
    // Everything sent before the pong has arrived.
    session.socket.ping();
    await once(session.socket, "pong");
    assert.ok(!session.events.some(({ type }) => type === "response.done"));
    commits.release();
    await done;
    commits.fail("settle");
    const lost = session.ask("lost");
    await assert.rejects(lost, /closed with 1011/);
    assert.equal(codeOf(await session.next("error")), "unavailable");
    commits.release();
    await gateway.testApp.deps.relay.inFlight.idle();
    await gateway.close();
  });
});

describe("a gateway that stops", () => {
  it("ends idle sessions at once, and others after their answer", async () => {
    const gateway = await startRelayTest();
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { models: "gpt-realtime" });
    const key = await gateway.addToken();
    const [waiting, speaking] = [await openSession(gateway.url, key), await openSession(gateway.url, key)];
    upstream.setBehaviour({ kind: "normal", chunkDelayMs: 20 });
    const done = speaking.ask("one two three four");
    await speaking.next("response.output_text.delta");
    const { inFlight } = gateway.testApp.deps.relay;
    inFlight.drain();
    assert.equal(codeOf(await waiting.next("error")), "gateway_stopped");
    assert.equal(await waiting.closed(), 1001);
    assert.equal(recordOf((await done)["response"])["status"], "completed");
    assert.equal(await speaking.closed(), 1001);
    await inFlight.idle();
    const { open, differences, logs } = await gateway.books();
    assert.deepEqual([open, differences, logs.length], [0, 0, 1]);
    await assert.rejects(openSession(gateway.url, key), /503/);
    await gateway.close();
  });

  it("notifies callers of Google's API first: at once if idle, else with the time left for the answer", async () => {
    const gateway = await startRelayTest();
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream, { type: 24, models: LIVE });
    const key = await gateway.addToken();
    const sessions = [await openLive(gateway.url, key), await openLive(gateway.url, key)] as const;
    const [waiting, speaking] = sessions;
    for (const session of sessions) await session.next((event) => "setupComplete" in event);
    upstream.setBehaviour({ kind: "normal", chunkDelayMs: 20 });
    const done = speaking.ask("one two three four");
    await speaking.next((event) => "serverContent" in event);
    const { inFlight } = gateway.testApp.deps.relay;
    inFlight.drain();
    const goAwayOf = async (session: Session) => (await session.next((event) => "goAway" in event))["goAway"];
    assert.deepEqual(await goAwayOf(waiting), { timeLeft: "0s" });
    assert.equal(await waiting.closed(), 1001);
    assert.deepEqual(await goAwayOf(speaking), { timeLeft: "30s" });
    assert.ok(isTurnEnd(await done));
    assert.equal(await speaking.closed(), 1001);
    await inFlight.idle();
    const { open, differences, logs } = await gateway.books();
    assert.deepEqual([open, differences, logs.length], [0, 0, 1]);
    assert.equal(speaking.events.filter((event) => "goAway" in event).length, 1);
    await gateway.close();
  });
});
