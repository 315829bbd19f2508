import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";
import { parseBehaviour } from "./parse-behaviour.ts";
import { APIError, RateLimitError } from "openai";
import { withStubServer } from "./testing/with-stub-server.ts";

const behaviours: Behaviour[] = [
  { kind: "normal", callTool: true, toolText: "a b" },
  { kind: "normal", pieces: 3, text: "a b", reasoningTokens: 1, cachedTokens: 2, callTool: true, usageUnasked: true },
  { kind: "slow", headersDelayMs: 10, chunkDelayMs: 20 },
  { kind: "refuse", status: 429, reason: "insufficient-quota", retryAfter: 5, message: "no" },
  { kind: "refuse", status: 503, retryAfter: "soon" },
  { kind: "stall", afterChunks: 0 },
  { kind: "cut", at: "accept", afterChunks: 2, reset: true },
  { kind: "malformed", fault: "long-line", afterChunks: 2, lineMegabytes: 9 },
  { kind: "endless", chunkBytes: 100 },
  { kind: "unsolicited-headers" },
  { kind: "usage-override", report: "given", usage: { total_tokens: "many" } },
  { kind: "error-in-stream", afterChunks: 4, form: "data-only" },
];

suite("a behaviour written as JSON", () => {
  for (const behaviour of behaviours) {
    test(`${JSON.stringify(behaviour)} is parsed with every field`, () => {
      const parsed = JSON.stringify(parseBehaviour(JSON.parse(JSON.stringify(behaviour))));
      assert.deepEqual(JSON.parse(parsed), behaviour);
    });
  }

  test("a field of another kind is refused", () => {
    assert.throws(() => parseBehaviour({ kind: "slow", status: 500 }), /status is no field of this kind/);
  });

  test("a value other than an object is refused", () => {
    assert.throws(() => parseBehaviour(["normal"]), /must be a JSON object/);
    assert.throws(() => parseBehaviour({}), /kind is missing; it must be one of normal/);
  });
});

suite("a marker in the request", () => {
  test("steers the answer and is not echoed", async (t) => {
    const { client } = await withStubServer(t, { behaviour: { kind: "refuse", status: 500 } });
    const content = 'hello [[fake: {"kind":"normal","pieces":5}]]';
    const completion = await client.chat.completions.create({ model: "m", messages: [{ role: "user", content }] });
    assert.equal(completion.choices[0]?.message.content, "You said: hello and here");
  });

  test("counts in the last user message only", async (t) => {
    const { client } = await withStubServer(t);
    const marked = { role: "user" as const, content: '[[fake: {"kind":"refuse","status":429}]]' };
    const plain = { role: "user" as const, content: "hello" };
    await assert.rejects(client.chat.completions.create({ model: "m", messages: [plain, marked] }), RateLimitError);
    const completion = await client.chat.completions.create({ model: "m", messages: [marked, plain] });
    assert.equal(completion.choices[0]?.message.content, "You said: hello");
  });

  test("works in a prompt and in an input", async (t) => {
    const { client } = await withStubServer(t);
    const marker = '[[fake: {"kind":"refuse","status":429}]]';
    await assert.rejects(client.completions.create({ model: "m", prompt: marker }), RateLimitError);
    await assert.rejects(client.embeddings.create({ model: "m", input: [marker] }), RateLimitError);
  });

  test("is refused when invalid, with the field and its choices", async (t) => {
    const { client } = await withStubServer(t);
    const refusalOf = async (content: string): Promise<string> => {
      const asked = client.chat.completions.create({ model: "m", messages: [{ role: "user", content }] });
      const error: unknown = await asked.catch((reason: unknown) => reason);
      assert.ok(error instanceof APIError);
      assert.equal(error.status, 400);
      return error.message;
    };
    assert.match(await refusalOf('[[fake: {"kind":"slowly"}]]'), /kind must be one of normal, slow/);
    assert.match(await refusalOf('[[fake: {"kind":"refuse","status":418}]]'), /status must be one of 400, 401/);
    assert.match(await refusalOf('[[fake: {"kind":"stall","afterChunk":1}]]'), /afterChunk is no field/);
    assert.match(await refusalOf('[[fake: {"kind":"stall","afterChunks":-1}]]'), /afterChunks must be a whole number/);
    assert.match(await refusalOf("[[fake: kind]]"), /must hold JSON/);
    assert.match(await refusalOf('[[fake: {"kind":"normal"}'), /must end with \]\]/);
  });
});
