import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openRawChat, rawChat, readUntil, replyHead } from "./testing/raw-request.ts";
import { withStubServer } from "./testing/with-stub-server.ts";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

suite("a stub server", () => {
  test("records requests", async (t) => {
    const { upstream, client } = await withStubServer(t);
    await client.chat.completions.create(
      { model: "gpt-4o", messages: [{ role: "user", content: "hi" }] },
      { headers: { "x-marker": "yes" } },
    );
    const [record] = upstream.requests;
    assert.equal(`${record?.method} ${record?.path}`, "POST /v1/chat/completions");
    assert.equal(record?.headers["x-marker"], "yes");
    assert.equal(record?.headers.authorization, "Bearer sk-test");
    assert.partialDeepStrictEqual(record?.body, { model: "gpt-4o" });
    assert.deepEqual(JSON.parse(record?.bodyText ?? ""), record?.body);
    assert.equal(record?.status, 200);
    assert.equal(record?.abortedAtMs, null);
  });

  test("stores only the latest requests, and none after they are cleared", async (t) => {
    const { upstream, client } = await withStubServer(t, { recordLimit: 2 });
    for (const model of ["a", "b", "c"]) await client.embeddings.create({ model, input: "x", dimensions: 1 });
    assert.deepEqual(
      upstream.requests.map(({ bodyText }) => /"model":"(.)"/.exec(bodyText)?.[1]),
      ["b", "c"],
    );
    upstream.clearRequests();
    assert.deepEqual(upstream.requests, []);
  });

  test("records that the SDK aborts a stream, and the tokens sent by then", async (t) => {
    const { upstream, client } = await withStubServer(t, {
      behaviour: { kind: "normal", pieces: 1_000, chunkDelayMs: 5 },
    });
    const stream = await client.chat.completions.create({
      model: "gpt-4o",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
    });
    let received = 0;
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) received += 1;
      if (received === 3) break;
    }
    const record = await upstream.waitForAbort();
    assert.ok(record.abortedAtMs !== null && record.finishedAtMs === null);
    assert.ok(record.tokensServed >= 3 && record.tokensServed < 1_000);
    assert.equal(upstream.activeStreams, 0);
  });

  test("chooses the behaviour of each request by a function", async (t) => {
    const { upstream } = await withStubServer(t);
    upstream.setBehaviour((request) =>
      request.headers["content-type"] === "application/json" ? { kind: "refuse", status: 503 } : { kind: "normal" },
    );
    assert.equal((await rawChat(upstream.at("openai"))).reply.statusCode, 503);
    const models = await fetch(`${upstream.at("openai")}/v1/models`, { headers: { authorization: "Bearer x" } });
    assert.equal(models.status, 200);
  });

  test("a fixed cut at accept breaks connections before any request", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "cut", at: "accept" } });
    await assert.rejects(rawChat(upstream.at("openai")), { code: "ECONNRESET" });
    assert.deepEqual(upstream.requests, []);
  });

  test("a cut at accept chosen by the request breaks it unanswered", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: () => ({ kind: "cut", at: "accept", reset: true }) });
    await assert.rejects(rawChat(upstream.at("openai")), { code: "ECONNRESET" });
    assert.equal(upstream.requests[0]?.status, null);
  });

  test("waiting rejects after its timeout", async (t) => {
    const { upstream } = await withStubServer(t);
    await assert.rejects(upstream.waitForRequest(undefined, 10), /no matching request within 10 ms/);
    await assert.rejects(upstream.waitForAbort(undefined, 10), /no matching request aborted within 10 ms/);
  });

  test("closing breaks open streams without recording an abort", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "stall", afterChunks: 1 } });
    const reply = await replyHead(openRawChat(upstream.at("openai"), { stream: true }));
    await readUntil(reply, "You");
    reply.on("error", () => undefined);
    await upstream.close();
    assert.equal(upstream.requests[0]?.abortedAtMs, null);
    assert.equal(upstream.activeStreams, 0);
    await assert.rejects(rawChat(upstream.at("openai")), { code: "ECONNREFUSED" });
  });

  test("other paths and methods are 404 in OpenAI's format", async (t) => {
    const { upstream } = await withStubServer(t);
    for (const [method, path] of [
      ["POST", "/chat/completions"],
      ["GET", "/v1/chat/completions"],
      ["GET", "/v1/models/"],
    ]) {
      const reply = await fetch(`${upstream.at("openai")}${path}`, {
        method: method ?? "",
        headers: { authorization: "Bearer x" },
      });
      assert.equal(reply.status, 404, `${method} ${path}`);
      assert.partialDeepStrictEqual(await reply.json(), { error: { type: "invalid_request_error" } });
    }
  });

  test("an invalid JSON body is a 400", async (t) => {
    const { upstream } = await withStubServer(t);
    const headers = { authorization: "Bearer x" };
    const reply = await fetch(`${upstream.at("openai")}/v1/embeddings`, { method: "POST", headers, body: '{"model":' });
    assert.equal(reply.status, 400);
    assert.equal(upstream.requests[0]?.bodyText, '{"model":');
  });

  test("a failing choice of behaviour is a 500", async (t) => {
    const { upstream } = await withStubServer(t, {
      behaviour: () => {
        throw new Error("no such channel");
      },
    });
    const { reply, text } = await rawChat(upstream.at("openai"));
    assert.equal(reply.statusCode, 500);
    assert.match(text, /The stub server failed: no such channel/);
  });
});

const main = new URL("main.ts", import.meta.url).pathname;

suite("the command line", () => {
  test("prints the address, follows its flags, and exits cleanly", async (t) => {
    const flags = ["--pieces", "6", "--chunk-delay-ms", "1", "--models", "one,two", "--key", "sk-test"];
    const server = spawn(process.execPath, [main, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => server.kill("SIGKILL"));
    const line = await new Promise((resolve) => server.stdout.once("data", resolve));
    const url = /^stub server: (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(String(line))?.[1];
    assert.ok(url !== undefined);
    const { text } = await rawChat(`${url}/openai`);
    assert.partialDeepStrictEqual(JSON.parse(text), { usage: { completion_tokens: 6 } });
    const models = await fetch(`${url}/openai/v1/models`, { headers: { authorization: "Bearer sk-test" } });
    assert.partialDeepStrictEqual(await models.json(), { data: [{ id: "one" }, { id: "two" }] });
    server.kill("SIGTERM");
    assert.deepEqual(await once(server, "exit"), [0, null]);
  });

  test("refuses a wrong flag by name", async () => {
    const run = promisify(execFile)(process.execPath, [main, "--delay-ms", "soon"]);
    await assert.rejects(run, { code: 1, stderr: /--delay-ms must be a whole number of 0 or more, not soon/ });
  });
});
