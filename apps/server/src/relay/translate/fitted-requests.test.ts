import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type JsonRecord, listOf, recordOf } from "@one-api/providers/shared/json-fields";
import { CALLERS } from "./testing/caller-formats.ts";
import { PROVIDERS } from "./testing/provider-formats.ts";
import { translateChat } from "./testing/translate-chat.ts";

const PLAIN: JsonRecord = { type: "object", properties: { n: { type: "number" } } };
const LONG_NAMES = [`mcp__${"server_".repeat(17)}a`, `mcp__${"server_".repeat(17)}b`];
const STRANGE_NAMES = ["files.read/all", "获取天气", "9 lives", ...LONG_NAMES];

for (const [callerName, caller] of Object.entries(CALLERS)) {
  for (const [providerName, provider] of Object.entries(PROVIDERS)) {
    describe(`a request of ${callerName} for ${providerName} API`, () => {
      it("has tool names that the provider accepts, and its answer the caller's names", () => {
        const sent = STRANGE_NAMES.map((name) => {
          const chat = translateChat(caller.format, provider.format, caller.request(name, PLAIN));
          const fitted = provider.nameSent(chat.sent);
          assert.match(fitted, /^[a-zA-Z0-9_.-]+$/);
          assert.ok(fitted.length <= provider.maxNameLength, fitted);
          const answer = chat.answer(provider.calling([{ id: "c1", name: fitted, input: { n: 1 } }]));
          assert.deepEqual(caller.callsOf(answer), [["c1", name, '{"n":1}']]);
          return fitted;
        });
        assert.equal(new Set(sent).size, sent.length);
      });

      it("has an object at the top of each schema, and unwrapped arguments", () => {
        const schemas: readonly JsonRecord[] = [
          { anyOf: [PLAIN, { type: "object", properties: { s: { type: "string" } } }] },
          { type: "object", oneOf: [{ required: ["n"] }, { required: ["s"] }], properties: PLAIN.properties },
          { allOf: [{ $ref: "#/$defs/plain" }], $defs: { plain: PLAIN } },
        ];
        for (const schema of schemas) {
          const chat = translateChat(caller.format, provider.format, caller.request("f", schema));
          const { type, anyOf, oneOf, allOf } = provider.schemaSent(chat.sent);
          assert.deepEqual([type, anyOf, oneOf, allOf], ["object", undefined, undefined, undefined]);
          const answer = chat.answer(provider.calling([{ id: "c1", name: "f", input: { input: { n: 1 } } }]));
          assert.deepEqual(caller.callsOf(answer), [["c1", "f", '{"n":1}']]);
        }
        const named = { $ref: "#/$defs/plain", $defs: { plain: PLAIN } };
        const chat = translateChat(caller.format, provider.format, caller.request("f", named));
        const { type, properties, $defs } = provider.schemaSent(chat.sent);
        assert.deepEqual({ type, properties, $defs }, { ...PLAIN, $defs: { plain: PLAIN } });
      });

      it("receives calls with unique ids, within an answer and between answers", () => {
        const chat = translateChat(caller.format, provider.format, caller.request("f", PLAIN));
        const calls = [
          { name: "f", input: {} },
          { id: "same", name: "f", input: {} },
        ];
        const ids = [1, 2].flatMap(() =>
          caller.callsOf(chat.answer(provider.calling([...calls, ...calls]))).map(([id = ""]) => id),
        );
        const made = ids.filter((id) => id !== "same");
        assert.ok(
          made.every((id) => /^[\w-]{9,64}$/.test(id)),
          String(made),
        );
        assert.equal(new Set(made).size, 6);
      });
    });
  }
}

describe("a response schema that is no object", () => {
  const asGemini = (responseJsonSchema: JsonRecord) => ({
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    generationConfig: { responseMimeType: "application/json", responseJsonSchema },
  });
  const { gemini } = CALLERS;
  const chat = PROVIDERS["OpenAI's chat"]?.format;
  assert.ok(chat !== undefined);
  const saying = (content: string) => ({
    id: "1",
    choices: [{ index: 0, finish_reason: "stop", message: { content } }],
  });
  const textsOf = (events: readonly JsonRecord[]) =>
    events
      .flatMap(({ candidates }) => listOf(recordOf(recordOf(listOf(candidates)[0]).content).parts))
      .map((part) => String(recordOf(part).text))
      .join("");

  it("becomes the only property of an object, with its references", () => {
    const schema = {
      type: "array",
      items: { $ref: "#/$defs/node" },
      $defs: { node: { anyOf: [{ $ref: "#" }, PLAIN] } },
    };
    const { sent } = translateChat(gemini.format, chat, asGemini(schema));
    const { schema: written } = recordOf(recordOf(sent.response_format).json_schema);
    assert.deepEqual(written, {
      type: "object",
      properties: { answer: { type: "array", items: { $ref: "#/$defs/node" } } },
      required: ["answer"],
      additionalProperties: false,
      $defs: { node: { anyOf: [{ $ref: "#/properties/answer" }, PLAIN] } },
    });
  });

  const answers = [
    ['{"answer":["a"]}', '["a"]'],
    [' { "answer" :\n [{"answer":"}]"}, {"b": "\\"}"}] }\n', '[{"answer":"}]"}, {"b": "\\"}"}] '],
    ['{"answer": 5}', "5"],
    ['["a"]', '["a"]'],
    ['{"other":1}', '{"other":1}'],
    ['{"ans', '{"ans'],
    ["{", "{"],
  ] as const;
  for (const [sent, received] of answers) {
    it(`is unwrapped from ${sent}`, () => {
      const translated = translateChat(gemini.format, chat, asGemini({ type: "array", items: { type: "string" } }));
      assert.equal(textsOf([translated.answer(saying(sent))]).trim(), received.trim());
      const delta = (content: string, finish_reason: string | null = null) => ({
        id: "1",
        choices: [{ index: 0, delta: { content }, finish_reason }],
      });
      const pieces = Array.from(sent, (letter) => delta(letter));
      assert.equal(textsOf(translated.stream([...pieces, delta("", "stop"), "[DONE]"])).trim(), received.trim());
    });
  }
});
