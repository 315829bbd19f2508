import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatSide, ProviderChat } from "../format-sides.ts";
import { type JsonRecord, isRecord, listOf, parseJson, recordOf } from "../shared/json-fields.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { bedrockConverse } from "../vendors/aws/format.ts";
import { claudeSchema } from "./claude-schema.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";

const leaf = { type: "object", properties: { s: { type: ["string", "null"] } }, required: ["s"] };
const SCHEMA: JsonRecord = {
  type: "object",
  properties: {
    nested: leaf,
    list: { type: "array", items: leaf },
    either: { anyOf: [leaf, { type: "null" }] },
    named: { $ref: "#/$defs/leaf" },
  },
  required: ["nested"],
  $defs: { leaf },
};

function objectsOf(schema: unknown): readonly JsonRecord[] {
  if (Array.isArray(schema)) return schema.flatMap(objectsOf);
  if (!isRecord(schema)) return [];
  return [...(schema.type === "object" ? [schema] : []), ...Object.values(schema).flatMap(objectsOf)];
}

const chatOf = (chat: ChatSide | undefined): ChatSide => {
  assert.ok(chat !== undefined);
  return chat;
};
const CALLERS: Readonly<Record<string, readonly [ChatSide, JsonRecord]>> = {
  chat: [
    chatOf(openAiChat().chat),
    {
      messages: [{ role: "user", content: "Hi" }],
      response_format: { type: "json_schema", json_schema: { name: "x", schema: SCHEMA } },
      tools: [{ type: "function", function: { name: "f", parameters: SCHEMA, strict: true } }],
    },
  ],
  responses: [
    chatOf(openAiResponses.chat),
    {
      input: "Hi",
      text: { format: { type: "json_schema", name: "x", schema: SCHEMA } },
      tools: [{ type: "function", name: "f", parameters: SCHEMA, strict: true }],
    },
  ],
  gemini: [
    chatOf(geminiContent.chat),
    {
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      generationConfig: { responseMimeType: "application/json", responseJsonSchema: SCHEMA },
    },
  ],
};
const PROVIDERS: Readonly<
  Record<string, readonly [ProviderChat | undefined, (body: JsonRecord) => readonly unknown[]]>
> = {
  "Anthropic's": [
    anthropicMessages("2023-06-01").chat,
    ({ output_config, tools }) => [
      recordOf(recordOf(output_config).format).schema,
      ...listOf(tools).map((tool) => recordOf(tool).input_schema),
    ],
  ],
  "Bedrock's": [
    bedrockConverse("anthropic.claude-sonnet-4-5-20250929-v1:0").chat,
    ({ outputConfig, toolConfig }) => {
      const { structure } = recordOf(recordOf(outputConfig).textFormat);
      const tools = listOf(recordOf(toolConfig).tools).map((tool) => recordOf(recordOf(tool).toolSpec).inputSchema);
      return [
        parseJson(String(recordOf(recordOf(structure).jsonSchema).schema)),
        ...tools.map((tool) => recordOf(tool).json),
      ];
    },
  ],
};

describe("a schema that Claude enforces", () => {
  for (const [caller, [asked, body]] of Object.entries(CALLERS)) {
    for (const [provider, [chat, schemasOf]] of Object.entries(PROVIDERS)) {
      it(`has only closed objects, from ${caller} to ${provider} API`, () => {
        assert.ok(chat !== undefined);
        const written = chat.writeRequest({ ...asked.readRequest(body), model: "claude-sonnet-4-5" });
        const schemas = schemasOf(written.body);
        assert.equal(schemas.length, caller === "gemini" ? 1 : 2);
        for (const schema of schemas) {
          const objects = objectsOf(schema);
          assert.equal(objects.length, 5);
          for (const object of objects) assert.equal(object.additionalProperties, false);
        }
      });
    }
  }

  it("has no keywords that Anthropic refuses, and each of them is named", () => {
    const dropped = new Set<string>();
    const limited = claudeSchema(
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: {
          minimum: { type: "integer", minimum: 0, maximum: 9 },
          list: { type: "array", items: { type: "string", maxLength: 3, format: "hex" }, minItems: 2, maxItems: 4 },
          map: { type: "object", additionalProperties: { type: "string" } },
          either: { oneOf: [{ type: "string", format: "date" }, { const: 1 }] },
        },
      },
      "response_format",
      (name) => void dropped.add(name),
    );
    assert.deepEqual(limited, {
      type: "object",
      properties: {
        minimum: { type: "integer" },
        list: { type: "array", items: { type: "string" } },
        map: { type: "object", additionalProperties: false },
        either: { anyOf: [{ type: "string", format: "date" }, { const: 1 }] },
      },
      additionalProperties: false,
    });
    const words = ["additionalProperties", "format", "maxItems", "maxLength", "maximum", "minItems", "minimum"];
    assert.deepEqual(
      [...dropped].toSorted(),
      words.map((word) => `response_format.${word}`),
    );
  });
});

describe("a strict schema for OpenAI", () => {
  const closed = { ...leaf, additionalProperties: false };
  for (const [name, chat, strictOf] of [
    ["chat", chatOf(openAiChat().chat), (tool: JsonRecord) => recordOf(tool.function).strict],
    ["Responses", chatOf(openAiResponses.chat), (tool: JsonRecord) => tool.strict],
  ] as const) {
    it(`is strict in ${name} if all objects are closed and require all of their properties`, () => {
      const write = (input_schema: JsonRecord) => {
        const asked = {
          messages: [{ role: "user", content: "Hi" }],
          tools: [{ name: "f", input_schema, strict: true }],
        };
        const { body, dropped } = chat.writeRequest(chatOf(anthropicMessages("2023-06-01").chat).readRequest(asked));
        return [strictOf(recordOf(listOf(body.tools)[0])), [...dropped]];
      };
      assert.deepEqual(write({ ...closed, properties: { s: { type: "array", items: closed } } }), [true, []]);
      for (const open of [
        leaf,
        { ...closed, required: [] },
        { ...closed, properties: { s: { anyOf: [leaf] } } },
        { ...closed, properties: { s: { oneOf: [closed] } } },
        { ...closed, $defs: { leaf } },
      ]) {
        assert.deepEqual(write(open), [false, ["tools.strict"]]);
      }
    });
  }
});
