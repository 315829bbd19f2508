import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

/** A header of no meaning whose name is in no plain form, so that Node's server reads the call. */
const BY_NODE = "_: 1";

const MEBIBYTE = 1024 * 1024;

describe("a call that is read straight from its connection", () => {
  let gateway: RelayTest;
  let key: string;
  beforeEach(async () => {
    gateway = await startRelayTest({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    await gateway.addChannel(await gateway.upstream());
    key = await gateway.addToken();
  });
  afterEach(() => gateway.close());

  async function open(): Promise<Socket> {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  }

  function call(body: string, headers: readonly string[], path = CHAT): string {
    const lines = [`POST ${path} HTTP/1.1`, "host: gateway", "content-type: application/json", ...headers];
    return `${lines.join("\r\n")}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  }

  /** Sends a call and returns all of its answer, without what differs from call to call. */
  async function answerTo(text: string): Promise<string> {
    const socket = await open();
    let answer = "";
    socket.on("data", (bytes) => (answer += String(bytes)));
    socket.write(text);
    while (!isWhole(answer) && !socket.destroyed) await nextTurn();
    socket.destroy();
    return answer
      .replace(/^Date: .*$/m, "Date: now")
      .replace(/dur=[\d.]+/, "dur=0")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-zA-Z_]{20,}\b|chatcmpl-\w+/g, "ID")
      .replaceAll(/"created":\d+/g, '"created":0');
  }

  const bearer = () => `authorization: Bearer ${key}`;
  const stream = (content: string) => JSON.stringify(chatBody(content, { stream: true }));
  const slow = '[[fake: {"kind":"normal","chunkDelayMs":5}]]';
  const CALLS: Readonly<Record<string, () => string[]>> = {
    "a whole answer": () => [JSON.stringify(chatBody("some words")), bearer()],
    "a long answer": () => [JSON.stringify(chatBody("word ".repeat(60_000), { max_tokens: 60_000 })), bearer()],
    "a stream that comes at once": () => [stream("some words"), bearer()],
    "a stream in pieces": () => [stream(`some words ${slow}`), bearer()],
    "a wrong key": () => ["{}", "authorization: Bearer sk-wrong"],
    "a body that is no JSON": () => ["{", bearer()],
    "no body": () => ["", bearer()],
    "a failing provider": () => [JSON.stringify(chatBody('[[fake: {"kind":"refuse","status":400}]]')), bearer()],
  };

  for (const [what, parts] of Object.entries(CALLS)) {
    it(`is answered as by Node's server: ${what}`, async () => {
      const [body = "", ...headers] = parts();
      const direct = await answerTo(call(body, headers));
      const byNode = await answerTo(call(body, [...headers, BY_NODE]));
      assert.match(direct, /^HTTP\/1\.1 \d{3} /);
      assert.equal(inOnePiece(direct), inOnePiece(byNode));
    });
  }

  it("is refused before its long body has come, by both ways alike, and the connection closes", async () => {
    const answers = await Promise.all(
      [[], [BY_NODE]].map(async (more) => {
        const socket = await open();
        let answer = "";
        socket.on("data", (bytes) => (answer += String(bytes))).once("end", () => socket.end());
        const head = call("", [bearer(), ...more]).replace("length: 0", `length: ${40 * MEBIBYTE}`);
        socket.write(head + "x".repeat(MEBIBYTE));
        await once(socket, "close");
        return answer.replace(/^Date: .*$/m, "Date: now").replaceAll(/\b[0-9a-zA-Z_-]{20,}\b/g, "ID");
      }),
    );
    assert.match(answers[0] ?? "", /^HTTP\/1\.1 413 .*connection: close.*body_too_large/s);
    assert.equal(answers[0], answers[1]);
  });

  it("comes from the address that a trusted proxy names", async () => {
    key = await gateway.addToken({ subnet: "203.0.113.0/24" });
    const body = JSON.stringify(chatBody("some words"));
    for (const more of [[], [BY_NODE]]) {
      const from = (address: string) => answerTo(call(body, [bearer(), `x-forwarded-for: ${address}`, ...more]));
      assert.match(await from("203.0.113.7"), /^HTTP\/1\.1 200 /);
      assert.match(await from("198.51.100.7"), /network_not_allowed/);
    }
  });

  it("shares its connection with calls that Node's server reads, and pages", async () => {
    const socket = await open();
    const answered = async (text: string) => {
      let answer = "";
      const take = (bytes: Buffer) => (answer += String(bytes));
      socket.on("data", take);
      socket.write(text);
      while (!isWhole(answer)) await nextTurn();
      socket.off("data", take);
      return answer;
    };
    const body = JSON.stringify(chatBody("some words"));
    assert.match(await answered(call(body, [bearer()])), /You said: some words/);
    assert.match(await answered("GET /api/status HTTP/1.1\r\nhost: gateway\r\n\r\n"), /"success":true/);
    assert.match(await answered(call(body, [bearer()])), /You said: some words/);
    socket.destroy();
    assert.equal((await gateway.books()).logs.length, 2);
  });

  it("is ended at the provider when its caller leaves, and charged for what it got", async () => {
    const socket = await open();
    socket.write(call(stream(`${"word ".repeat(50)} [[fake: {"kind":"stall","afterChunks":5}]]`), [bearer()]));
    await once(socket, "data");
    socket.resetAndDestroy();
    assert.equal((await gateway.lastLog()).result, "caller-gone");
  });

  it("is answered at the stop of the gateway, and its connection closed then", async () => {
    const [busy, idle] = [await open(), await open()];
    let answer = "";
    busy.on("data", (bytes) => (answer += String(bytes)));
    idle.resume();
    idle.write(call("{", [bearer()]));
    busy.write(call(stream(`some words [[fake: {"kind":"normal","chunkDelayMs":20}]]`), [bearer()]));
    await Promise.all([once(idle, "data"), once(busy, "data")]);
    const closed = [busy, idle].map((socket) => once(socket, "end"));
    const stopped = gateway.testApp.app.close();
    await Promise.all(closed);
    for (const socket of [busy, idle]) socket.end();
    await stopped;
    assert.match(answer, /data: \[DONE\]/);
  });
});

/** True when an answer has come to its end, by its length or its chunks. */
function isWhole(answer: string): boolean {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length === undefined) return answer.endsWith("\r\n0\r\n\r\n");
  return rest.length > 0 && Buffer.byteLength(rest.join("\r\n\r\n")) >= Number(length);
}

/** An answer without what says in how many pieces it came, which depends on how the provider's reach the gateway. */
function inOnePiece(answer: string): string {
  const bodyStart = answer.indexOf("\r\n\r\n");
  const head = answer.slice(0, bodyStart).replace(/\r\n(?:content-length|transfer-encoding): .*/i, "");
  return (
    head +
    answer
      .slice(bodyStart)
      .replaceAll(/\r\n[0-9a-f]+(?=\r\n)/g, "")
      .replaceAll("\r\n", "")
  );
}
