import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { createTestDatabase } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { readDelivered } from "../gateway/delivered-answer.ts";
import { askStub, setUpStubChannel, STUB_MODEL, STUB_PROMPT } from "../gateway/set-up-stub-channel.ts";
import { startGateway } from "../gateway/start-gateway.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";

/** Asks for one more stream; undefined when the gateway takes no more. */
async function askUnlessRefused(url: string, key: string): Promise<Response | undefined> {
  try {
    const answer = await askStub(url, key);
    return answer.status === 200 ? answer : undefined;
  } catch {
    return undefined;
  }
}

test("a gateway that is asked to stop finishes its streams, books them and takes no new ones", async (t) => {
  const upstream = await startStubServer({ behaviour: { kind: "normal", chunkDelayMs: 100, pieces: 20 } });
  t.after(() => upstream.close());
  const made = await createTestDatabase("sqlite");
  t.after(() => made.remove());
  const gateway = await startGateway(made.location);
  t.after(() => gateway.kill());
  const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
  const streams = await Promise.all([1, 2, 3].map(() => askStub(gateway.url, key)));
  const ended = gateway.terminate();
  // The signal takes a moment; who comes before it is served like the others.
  for (let late = await askUnlessRefused(gateway.url, key); late; late = await askUnlessRefused(gateway.url, key)) {
    streams.push(late);
  }
  const delivered = await Promise.all(
    streams.map(async (stream) => {
      const text = await stream.text();
      return readDelivered(stream, text) ?? assert.fail(text);
    }),
  );
  assert.equal(await ended, 0);
  assert.equal(await expectBooksInOrder(made.location, delivered), streams.length);
});

test("a gateway that is asked to stop says so to its load balancer and answers every call on an open connection", async (t) => {
  const upstream = await startStubServer({ behaviour: { kind: "normal" } });
  t.after(() => upstream.close());
  const made = await createTestDatabase("sqlite");
  t.after(() => made.remove());
  const gateway = await startGateway(made.location, undefined, { STOP_DELAY_SECONDS: "1" });
  t.after(() => gateway.kill());
  const key = await setUpStubChannel(gateway.url, upstream.at("openai"));
  const callers = Array.from({ length: 8 }, () => callOnOneConnection(gateway.url, key));
  await Promise.all(callers.map(({ answered }) => answered));
  const ended = gateway.terminate();
  while ((await fetch(`${gateway.url}/healthz`)).status !== 503);
  assert.equal((await askStub(gateway.url, key, { stream: false })).status, 200, "it still serves new connections");
  assert.deepEqual(
    await Promise.all(callers.map(({ closed }) => closed)),
    callers.map(() => "after an answer that announced it"),
  );
  assert.equal(await ended, 0);
});

/** Sends one call after another on one connection, as a proxy does, until an answer or the gateway closes it. */
function callOnOneConnection(url: string, key: string) {
  const body = JSON.stringify({ model: STUB_MODEL, max_tokens: 5, messages: [{ role: "user", content: STUB_PROMPT }] });
  const head = ["POST /v1/chat/completions HTTP/1.1", "Host: gateway", "Content-Type: application/json"];
  const call = [...head, `Authorization: Bearer ${key}`, `Content-Length: ${body.length}`, "", body].join("\r\n");
  const answered = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<string>();
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port) }, () => socket.write(call));
  let answer = "";
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    answer += bytes.toString("latin1");
    const [, fields = "", content = ""] = /^HTTP\/1\.1 200 OK\r\n(.*?\r\n)\r\n(.*)$/s.exec(answer) ?? [];
    const length = /^content-length: (\d+)/im.exec(fields)?.[1];
    if (length === undefined || content.length < Number(length)) return;
    answered.resolve();
    if (/^connection: close/im.test(fields)) return closed.resolve("after an answer that announced it");
    answer = "";
    socket.write(call);
  });
  socket.on("close", () => closed.resolve(`without an answer: ${answer}`));
  return { answered: answered.promise, closed: closed.promise };
}
