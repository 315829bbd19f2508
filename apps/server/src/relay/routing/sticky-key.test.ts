import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { describe, it } from "node:test";
import { stickyKey } from "./sticky-key.ts";
import { readBody } from "../body/index.ts";

interface Call {
  readonly userId?: number;
  readonly headers?: IncomingHttpHeaders;
}

function keyOf(json: Readonly<Record<string, unknown>>, { userId = 1, headers = {} }: Call = {}): number | undefined {
  return stickyKey({ userId, headers, body: readBody(Buffer.from(JSON.stringify(json))) });
}

const LONG = `You are "careful".\n${"Read the rules first. 规则 ".repeat(300)}`;
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });

/** How each API has instructions and two turns. */
const SHAPES: readonly (readonly [api: string, body: (question: string, rest: readonly string[]) => object])[] = [
  [
    "chat",
    (question, rest) => ({
      model: "m",
      messages: [{ role: "system", content: LONG }, user(question), ...rest.map(assistant)],
    }),
  ],
  [
    "responses",
    (question, rest) => ({ model: "m", instructions: LONG, input: [user(question), ...rest.map(assistant)] }),
  ],
  [
    "messages",
    (question, rest) => ({
      model: "m",
      system: [{ type: "text", text: LONG }],
      messages: [
        user([{ type: "text", text: question, ...(rest.length === 0 && { cache_control: { type: "ephemeral" } }) }]),
        ...rest.map(assistant),
      ],
    }),
  ],
  [
    "gemini",
    (question, rest) => ({
      systemInstruction: { parts: [{ text: LONG }] },
      contents: [{ parts: [{ text: question }] }, ...rest.map((text) => ({ role: "model", parts: [{ text }] }))],
    }),
  ],
];

describe("the number of a conversation", () => {
  for (const [api, shape] of SHAPES) {
    it(`is the same in every turn, however long it grows, and another for another question: ${api}`, () => {
      const question = `What now? "✓" ${"tell me more ".repeat(40)}`;
      const first = keyOf({ ...shape(question, []) });
      assert.ok(first !== undefined);
      assert.equal(keyOf({ ...shape(question, ["I think", "so"]) }), first);
      assert.equal(keyOf({ ...shape(question, ["long ".repeat(60_000)]) }), first, "a body that is read as an outline");
      assert.notEqual(keyOf({ ...shape(`And ${question}`, []) }), first);
      assert.notEqual(keyOf({ ...shape(question, []) }, { userId: 2 }), first, "nobody shares another's");
    });
  }

  it("is none where the prompt is too short to be in a cache", () => {
    assert.equal(keyOf({ model: "m", messages: [user("hello")] }), undefined);
  });

  it("is the session's where the caller names one", () => {
    const named: readonly (readonly [string, object, IncomingHttpHeaders])[] = [
      ["x-session-id", {}, { "x-session-id": "s1" }],
      ["opencode, Fireworks", {}, { "x-session-affinity": "s1" }],
      ["Claude Code", {}, { "x-claude-code-session-id": "s1" }],
      ["Codex", {}, { "session-id": "s1" }],
      ["older Codex", {}, { session_id: "s1" }],
      ["prompt_cache_key", { prompt_cache_key: "s1" }, {}],
      ["OpenRouter's field", { session_id: "s1" }, {}],
      ["a conversation that OpenAI keeps", { conversation: "s1" }, {}],
      ["the same by its id", { conversation: { id: "s1" } }, {}],
    ];
    const keys = named.map(([, more, headers]) =>
      keyOf({ model: "m", messages: [user("hello")], ...more }, { headers }),
    );
    assert.ok(keys.every((key) => key !== undefined && key === keys[0]));
    const other = keyOf({ model: "m", prompt_cache_key: "s2", messages: [user(LONG)] });
    assert.notEqual(other, keys[0]);
    assert.equal(keyOf({ model: "m", prompt_cache_key: "s2", messages: [user("hello")] }), other);
  });

  it("takes Claude Code's user for a session, and another's for a person with many conversations", () => {
    const asked = (user_id: string, question: string) =>
      keyOf({ model: "m", metadata: { user_id }, system: LONG, messages: [user(question)] });
    const older = "user_0a_account_b_session_c";
    assert.equal(asked(older, "one"), asked(older, "two"));
    const json = JSON.stringify({ device_id: "d", session_id: "s" });
    assert.equal(asked(json, "one"), asked(json, "two"));
    assert.notEqual(asked("customer-7", "one"), asked("customer-7", "two"));
    assert.notEqual(asked("customer-7", "one"), asked("customer-8", "one"));
    assert.equal(keyOf({ model: "m", metadata: { user_id: "customer-7" }, messages: [user("hello")] }), undefined);
  });

  it("looks at no more than the beginning of what the caller sends", () => {
    const head = "x".repeat(5_000);
    const ask = (tail: string) => keyOf({ model: "m", messages: [user(head + tail)] });
    assert.equal(ask("one"), ask("two"), "they share the prompt that is cached");
  });
});
