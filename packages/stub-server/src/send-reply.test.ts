import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { openRawChat, type RawBody, rawChat, readUntil, replyHead } from "./testing/raw-request.ts";
import { withStubServer } from "./testing/with-stub-server.ts";
import { type MalformedFault, malformedFaults } from "@one-api/providers/stub-kit/behaviour";

suite("documents on the wire", () => {
  test("a cut is in the middle of the declared length", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "cut" } });
    const { reply, text, isComplete } = await rawChat(upstream.at("openai"));
    assert.equal(isComplete, false);
    assert.ok(text.length > 0 && text.length < Number(reply.headers["content-length"]));
    assert.equal(upstream.requests[0]?.tokensServed, 0);
  });

  test("a stall is in the middle and leaves the connection open", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "stall", afterChunks: 1 } });
    const outgoing = openRawChat(upstream.at("openai"));
    const text = await readUntil(await replyHead(outgoing), '{"id":"chatcmpl-');
    assert.throws(() => JSON.parse(text));
    assert.equal(upstream.requests[0]?.finishedAtMs, null);
    outgoing.destroy();
    await upstream.waitForAbort();
  });

  test("an error in the stream is a 200 with an error body", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "error-in-stream" } });
    const { reply, text } = await rawChat(upstream.at("openai"));
    assert.equal(reply.statusCode, 200);
    assert.partialDeepStrictEqual(JSON.parse(text), { error: { type: "server_error" } });
  });

  test("an endless document grows for as long as it is read", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "endless" } });
    const outgoing = openRawChat(upstream.at("openai"));
    const reply = await replyHead(outgoing);
    let received = 0;
    reply.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > 8 * 1_048_576) outgoing.destroy();
    });
    reply.on("error", () => undefined);
    assert.equal((await upstream.waitForAbort()).finishedAtMs, null);
  });

  test("unsolicited headers are in JSON answers and in streams", async (t) => {
    const { upstream } = await withStubServer(t, { behaviour: { kind: "unsolicited-headers" } });
    for (const stream of [false, true]) {
      const { reply, isComplete } = await rawChat(upstream.at("openai"), { stream });
      assert.ok(isComplete);
      assert.equal(reply.headers["set-cookie"]?.length, 2);
      for (const name of ["server", "location", "content-security-policy", "x-internal-hop", "keep-alive"]) {
        assert.ok(reply.headers[name], `${name} is sent`);
      }
      assert.match(reply.headers.connection ?? "", /x-internal-hop/);
    }
  });
});

const events = (text: string, separator: string): string[] => text.split(separator).filter((event) => event !== "");
const json = (event: string): unknown => JSON.parse(event.replace(/^data: /, ""));

const streamChecks: Record<MalformedFault, (body: RawBody) => void> = {
  "split-utf8": ({ chunks, text }) => {
    assert.match(text, /你/);
    assert.match(text, /🙂/);
    const halves = chunks.filter((chunk) => chunk.toString().includes("\uFFFD"));
    assert.ok(halves.length >= 2, "a character lies across two writes");
  },
  "byte-by-byte": ({ chunks, text }) => {
    assert.equal(events(text, "\n\n").at(-1), "data: [DONE]");
    assert.ok(chunks.length > 50, `${chunks.length} chunks`);
  },
  crlf: ({ text }) => {
    assert.doesNotMatch(text, /[^\r]\n/);
    assert.equal(events(text, "\r\n\r\n").at(-1), "data: [DONE]");
  },
  "cr-only": ({ text }) => {
    assert.doesNotMatch(text, /\n/);
    assert.equal(events(text, "\r\r").at(-1), "data: [DONE]");
  },
  "no-blank-line": ({ text }) => {
    assert.doesNotMatch(text, /\n\n/);
    assert.equal(events(text, "\n").length, 8);
  },
  "bad-json": ({ text }) => {
    const broken = events(text, "\n\n")
      .slice(0, -1)
      .filter((event) => {
        try {
          return json(event) === undefined;
        } catch {
          return true;
        }
      });
    assert.equal(broken.length, 1);
  },
  "long-line": ({ text }) => {
    const [line] = text.split("\n").filter((item) => item.length > 2 * 1_048_576);
    assert.ok(line !== undefined);
    assert.partialDeepStrictEqual(json(line), { choices: [{ delta: { content: " said:" } }] });
  },
  "html-body": ({ text }) => assert.match(text, /^<!doctype html>/),
  "json-for-stream": ({ text }) => assert.partialDeepStrictEqual(JSON.parse(text), { object: "chat.completion" }),
  "empty-body": ({ text }) => assert.equal(text, ""),
  "no-usage": ({ text }) => {
    assert.doesNotMatch(text, /prompt_tokens/);
    assert.match(text, /\[DONE\]/);
  },
  "no-done": ({ text }) => {
    assert.match(text, /"finish_reason":"stop"/);
    assert.doesNotMatch(text, /\[DONE\]/);
  },
  "no-finish-reason": ({ text }) => {
    assert.doesNotMatch(text, /"finish_reason":"/);
    assert.match(text, /\[DONE\]/);
  },
};

const contentTypes: Partial<Record<MalformedFault, string | undefined>> = {
  "html-body": "text/html; charset=utf-8",
  "json-for-stream": "application/json",
  "empty-body": undefined,
};

suite("malformed answers on the wire", () => {
  for (const fault of malformedFaults) {
    test(`a stream with ${fault}`, async (t) => {
      const { upstream } = await withStubServer(t, { behaviour: { kind: "malformed", fault, lineMegabytes: 2 } });
      const { reply, ...body } = await rawChat(upstream.at("openai"), {
        stream: true,
        stream_options: { include_usage: true },
      });
      assert.equal(reply.statusCode, 200);
      assert.ok(body.isComplete);
      const expected = fault in contentTypes ? contentTypes[fault] : "text/event-stream; charset=utf-8";
      assert.equal(reply.headers["content-type"], expected);
      streamChecks[fault](body);
    });
  }

  test("JSON answers can be faulty too", async (t) => {
    const { upstream } = await withStubServer(t);
    const answerWith = async (fault: MalformedFault): Promise<RawBody> => {
      upstream.setBehaviour({ kind: "malformed", fault, lineMegabytes: 2 });
      return rawChat(upstream.at("openai"));
    };
    const halfDocument = (await answerWith("bad-json")).text;
    assert.throws(() => JSON.parse(halfDocument), SyntaxError);
    assert.ok((await answerWith("long-line")).text.length > 2 * 1_048_576);
    assert.match((await answerWith("html-body")).text, /^<!doctype html>/);
    assert.equal((await answerWith("empty-body")).text, "");
    assert.equal("usage" in JSON.parse((await answerWith("no-usage")).text), false);
    assert.match((await answerWith("no-finish-reason")).text, /"finish_reason":null/);
    let split = await answerWith("split-utf8");
    // A JSON document has no chunks: on a busy machine one read may return both writes.
    for (let tries = 1; tries < 20 && split.chunks.length < 2; tries += 1) split = await answerWith("split-utf8");
    streamChecks["split-utf8"](split);
  });
});
