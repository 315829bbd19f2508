import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { after, afterEach, before, beforeEach, describe, it, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openSession, type Session } from "../../../testing/open-session.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

const MEBIBYTE = 1024 * 1024;
const EMBEDDINGS = "text-embedding-3-small";
/** Sends the head of a call, and as much of its body as was told, or less. */
function open(gateway: RelayTest, key: string, { path = CHAT, length = 0 }): Socket {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: gateway",
    "content-type: application/json",
    `authorization: Bearer ${key}`,
    `content-length: ${length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  return socket;
}

/** What the gateway has answered, from now on. */
function listen(socket: Socket): { readonly text: string } {
  let text = "";
  socket.on("data", (bytes) => (text += String(bytes)));
  return {
    get text() {
      return text;
    },
  };
}

describe("callers that take room for nothing", () => {
  let gateway: RelayTest;
  let honest: string;
  let bodyStallMs = 60_000;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    gateway = await startRelayTest({ timeouts: { bodyStallMs } });
    await gateway.addChannel(await gateway.upstream(), { models: "gpt-4o-mini,gpt-realtime" });
    honest = await gateway.addToken({ unlimited_quota: true });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    const { inFlight, bodyMemory, answerMemory, sessionMemory } = gateway.testApp.deps.relay;
    await inFlight.idle();
    assert.deepEqual(bodyMemory.taken, { all: 0, byAccount: 0 }, "all room for bodies is free");
    await waitUntil(async () => answerMemory.taken === 0);
    assert.equal(sessionMemory.taken, 0, "all room for sessions is free");
    assert.equal((await gateway.books()).differences, 0);
    await gateway.close();
  });

  /** A key of an account of its own. */
  async function addAccount(quota = 0): Promise<string> {
    const { client } = await gateway.testApp.logInAs("user", { quota });
    return gateway.addToken({ unlimited_quota: true }, client);
  }

  const statusOf = async (words: string): Promise<number> => {
    const answer = await gateway.post(CHAT, honest, chatBody(words));
    await answer.arrayBuffer();
    return answer.status;
  };

  describe("of bodies", () => {
    /** Opens calls whose bodies never end, until the gateway refuses one, with so many bytes each. */
    async function fill(key: string, bytes: number, most: number): Promise<number> {
      const piece = Buffer.alloc(Math.min(bytes, MEBIBYTE), "a");
      for (let count = 0; count < most; count += 1) {
        const socket = open(gateway, key, { length: bytes + 1 });
        sockets.push(socket);
        const heard = listen(socket);
        for (let sent = 0; sent < bytes && heard.text === ""; sent += piece.length) {
          if (!socket.write(piece))
            await Promise.race([once(socket, "drain"), once(socket, "data"), once(socket, "close")]);
        }
        if (heard.text !== "") {
          assert.match(heard.text, /^HTTP\/1\.1 503 [^]*"code":"overloaded"/);
          return count;
        }
      }
      return most;
    }

    it("leave room for everybody else's, short and long ones, without any quota", async () => {
      const taken = await fill(await addAccount(), 31 * MEBIBYTE, 9);
      assert.ok(taken >= 4 && taken < 9, `${taken} of 31 MiB`);
      assert.equal(await statusOf("some words"), 200);
      assert.equal(await statusOf("x".repeat(MEBIBYTE)), 200);
      assert.equal(await statusOf("x".repeat(20 * MEBIBYTE)), 200);
    });

    it("leave room for short ones of everybody, however many accounts send long ones", async () => {
      for (let count = 0; count < 6; count += 1) await fill(await addAccount(), 31 * MEBIBYTE, 9);
      assert.ok(gateway.testApp.deps.relay.bodyMemory.taken.all < 224 * MEBIBYTE);
      assert.equal(await statusOf("some words"), 200);
      assert.equal(await statusOf("x".repeat(60_000)), 200);
    });

    it("leave room for others' where they are many and short", async () => {
      const greedy = await addAccount();
      const { bodyMemory } = gateway.testApp.deps.relay;
      const heard = Array.from({ length: 700 }, () => {
        const socket = open(gateway, greedy, { length: 60_001 });
        sockets.push(socket);
        socket.write("a".repeat(60_000));
        return listen(socket);
      });
      await waitUntil(async () => heard.some(({ text }) => text.startsWith("HTTP/1.1 503 ")));
      const taken = bodyMemory.taken.all;
      const socket = open(gateway, honest, { length: 40_000 });
      sockets.push(socket);
      const answer = listen(socket);
      const body = JSON.stringify(chatBody("some words")).padEnd(40_000);
      socket.write(body.slice(0, 20_000));
      await waitUntil(async () => bodyMemory.taken.all > taken);
      socket.write(body.slice(20_000));
      await waitUntil(async () => answer.text.includes("You said"));
    });
  });

  describe("of bodies that come slowly", () => {
    before(() => (bodyStallMs = 2_000));
    after(() => (bodyStallMs = 60_000));

    for (const [name, path, atOnce] of [
      ["a call", CHAT, 2 * MEBIBYTE],
      ["a count", "/v1/responses/input_tokens", 1],
    ] as const) {
      it(`are refused where next to nothing comes of them, byte by byte or not: ${name}`, async () => {
        const socket = open(gateway, await addAccount(), { path, length: 5 * MEBIBYTE });
        sockets.push(socket);
        const heard = listen(socket);
        socket.write("a".repeat(atOnce));
        const dripping = setInterval(() => socket.write("a"), 100);
        await waitUntil(async () => heard.text.includes("body_too_slow"));
        clearInterval(dripping);
        assert.match(heard.text, /^HTTP\/1\.1 408 [^]*"code":"body_too_slow"/);
        assert.equal(gateway.testApp.deps.relay.bodyMemory.taken.all, 0);
      });
    }

    it("are waited for as long as they come slowly, with pauses", async () => {
      const body = JSON.stringify(chatBody("x".repeat(200_000)));
      const socket = open(gateway, honest, { length: body.length });
      sockets.push(socket);
      const heard = listen(socket);
      for (let at = 0; at < body.length; at += 40_000) {
        socket.write(body.slice(at, at + 40_000));
        await wait(500);
      }
      await waitUntil(async () => heard.text !== "");
      assert.match(heard.text, /^HTTP\/1\.1 200 /);
    });
  });

  describe("of answers", () => {
    /** A provider of embeddings whose answers are as long as the input says, in bytes. */
    async function addEmbedder(t: TestContext): Promise<void> {
      const server = createServer((request, response) => {
        let text = "";
        request.on("data", (bytes) => (text += String(bytes)));
        request.on("end", () => {
          const bytes = Number(/LENGTH=(\d+)/.exec(text)?.[1] ?? 0);
          const usage = '"usage":{"prompt_tokens":9,"total_tokens":9}';
          const data = `{"object":"embedding","index":0,"embedding":[${"0.25,".repeat(bytes / 5)}0]}`;
          response.writeHead(200, { "content-type": "application/json" });
          response.end(`{"object":"list","model":"${EMBEDDINGS}","data":[${data}],${usage}}`);
        });
      });
      t.after(() => {
        server.closeAllConnections();
        server.close();
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const address = server.address();
      assert.ok(typeof address === "object");
      await gateway.addChannel({ url: `http://127.0.0.1:${address?.port}` }, { models: EMBEDDINGS });
    }

    /** Asks for an answer of so many bytes, and takes none of it. */
    function askUnread(key: string, bytes: number): void {
      const body = JSON.stringify({ model: EMBEDDINGS, input: [`LENGTH=${bytes}`] });
      const socket = open(gateway, key, { path: "/v1/embeddings", length: body.length });
      socket.pause();
      sockets.push(socket);
      socket.write(body);
    }

    async function ask(bytes: number): Promise<number> {
      const input = [`LENGTH=${bytes}`];
      const answer = await gateway.post("/v1/embeddings", honest, { model: EMBEDDINGS, input });
      return (await answer.arrayBuffer()).byteLength;
    }

    /** Resolves once nothing more comes into the room for answers, of which so much is taken. */
    async function filled(leastBytes: number): Promise<void> {
      const { answerMemory } = gateway.testApp.deps.relay;
      await waitUntil(async () => answerMemory.taken >= leastBytes);
      for (let last = 0; last !== answerMemory.taken; await wait(100)) last = answerMemory.taken;
    }

    it("do not hold up others' answers, and are cut by nobody who has none to wait for", async (t) => {
      await addEmbedder(t);
      const greedy = await addAccount(1_000);
      for (let count = 0; count < 5; count += 1) askUnread(greedy, 24_000_000);
      await filled(40_000_000);
      const { answerMemory } = gateway.testApp.deps.relay;
      const held = answerMemory.taken;
      assert.ok((await ask(300_000)) > 300_000);
      assert.ok((await ask(10_000_000)) > 10_000_000);
      assert.ok(answerMemory.taken >= held, "nobody was cut for it");
    });

    it("are cut soon where others wait, of several accounts too", async (t) => {
      await addEmbedder(t);
      for (let count = 0; count < 4; count += 1) {
        const greedy = await addAccount(1_000);
        askUnread(greedy, 30_000_000);
        askUnread(greedy, 30_000_000);
      }
      await filled(60_000_000);
      const began = performance.now();
      assert.ok((await ask(20_000_000)) > 20_000_000);
      assert.ok(performance.now() - began < 20_000);
    });
  });

  describe("of sessions", () => {
    const sessions: Session[] = [];
    afterEach(() => {
      for (const { socket } of sessions.splice(0)) socket.terminate();
    });
    async function start(key: string): Promise<Session> {
      const session = await openSession(gateway.url, key);
      session.socket.on("error", () => undefined);
      sessions.push(session);
      return session;
    }

    it("end where an account that holds less waits for the room of a message that has stopped", async () => {
      const { sessionMemory } = gateway.testApp.deps.relay;
      const session = await start(await addAccount(5_000_000));
      session.socket.send(Buffer.alloc(10 * MEBIBYTE, "A"), { fin: false, binary: false });
      await waitUntil(async () => sessionMemory.taken >= 10 * MEBIBYTE);
      // All room that there is, by accounts that do what they can.
      const others = [58, 29, 15, 7, 9, 8].map((mebibytes, index) => {
        const claim = sessionMemory.claim({
          userId: 1_000 + index,
          resume: () => undefined,
          stalledMs: () => 0,
          abort: () => assert.fail("nobody else has stalled"),
        });
        return { claim, goesOn: claim.take(mebibytes * MEBIBYTE) };
      });
      assert.deepEqual(
        others.map(({ goesOn }) => goesOn),
        [true, true, true, true, true, false],
      );
      await session.closed();
      for (const { claim } of others) claim.release();
    });

    it("do not hold up others' sessions by messages that never end", async () => {
      const { sessionMemory } = gateway.testApp.deps.relay;
      const older = await start(honest);
      await older.ask("hi");
      const greedy = await addAccount(5_000_000);
      const piece = Buffer.from(`{"type":"input_audio_buffer.append","audio":"${"A".repeat(18 * MEBIBYTE)}`);
      for (let count = 0; count < 8; count += 1) {
        const session = await start(greedy);
        session.socket.send(piece, { fin: false, binary: false });
      }
      await waitUntil(async () => sessionMemory.taken > 64 * MEBIBYTE);
      for (let last = 0; last !== sessionMemory.taken; await wait(100)) last = sessionMemory.taken;
      assert.ok(sessionMemory.taken < 90 * MEBIBYTE, `${sessionMemory.taken} bytes`);
      assert.equal((await older.ask("again"))["type"], "response.done");
      assert.equal((await (await start(honest)).ask("hi"))["type"], "response.done");
      const audio = "A".repeat(8 * MEBIBYTE);
      older.send({ type: "input_audio_buffer.append", audio });
      older.send({ type: "input_audio_buffer.commit" });
      await older.next("input_audio_buffer.committed");
    });
  });
});
