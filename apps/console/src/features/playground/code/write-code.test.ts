import { CHAT_PARAMETERS } from "@one-api/contract/playground";
import { expect, test } from "vitest";
import { type ChatAsk, writeChatRequest } from "../chat/chat-request.ts";
import { emptyAnswer, type Turn } from "../chat/conversation.ts";
import { writeAnthropicRequest } from "./write-anthropic-request.ts";
import { CODE_KINDS, shortened, writeCode } from "./write-code.ts";

const ADDRESS = "https://gateway.example";
const NASTY = "it's \"quoted\" $HOME `id` \\ 你好\nJSON\n'''";
const picture = `data:image/png;base64,${"A".repeat(400)}`;
const turns: readonly Turn[] = [
  { role: "user", id: "1", text: NASTY, images: [{ id: "2", name: "a.png", dataUrl: picture }] },
  {
    ...emptyAnswer("2", "able"),
    state: "done",
    text: "Look:",
    calls: [{ id: "c", name: "look", input: '{"at":null}', result: "seen" }],
  },
];
const ask: ChatAsk = {
  model: { model: "able", parameters: [...CHAT_PARAMETERS], max_output_tokens: 1_000 },
  options: { temperature: 1.5, json: true, effort: "low" },
  system: "Be brief.",
  tools: [{ name: "look", description: "d", schema: { type: "object", additionalProperties: false } }],
  turns,
};

/** What stands between the first line that begins so and the last one that ends so. */
function between(code: string, from: string, to: string): string {
  const start = code.indexOf(from) + from.length;
  return code.slice(start, code.lastIndexOf(to));
}

test("curl sends the very body, whatever a shell would make of it", () => {
  const code = writeCode("curl", ask, ADDRESS);
  expect(code).toContain(`curl '${ADDRESS}/v1/chat/completions'`);
  expect(JSON.parse(between(code, "<<'JSON'\n", "\nJSON"))).toEqual(writeChatRequest(ask));
  expect(code.split("\n").filter((line) => line === "JSON")).toHaveLength(1);
});

test("Python has its own words, and texts that it reads as they are", () => {
  const code = writeCode("python", ask, ADDRESS);
  expect(code).toContain('"additionalProperties": False');
  expect(code).toContain(`"text": ${JSON.stringify(NASTY)}`);
  expect(code.replaceAll(/"(?:[^"\\]|\\.)*"/g, "")).not.toMatch(/\b(?:true|false|null)\b/);
});

test.each([
  ["typescript", writeChatRequest(ask)],
  ["anthropic", writeAnthropicRequest(ask)],
] as const)("TypeScript (%s) sends the very body", (kind, body) => {
  const literal = between(writeCode(kind, ask, ADDRESS), ".create(", ");\nconsole");
  // Names that stand bare, and commas after the last one: what is left is JSON.
  const json = literal
    .replaceAll(/^(\s*)(\w+): /gm, '$1"$2": ')
    .replaceAll(/([{,] )(\w+): /g, '$1"$2": ')
    .replaceAll(/,(\s*[\]}])/g, "$1");
  expect(JSON.parse(json)).toEqual(body);
});

test("Anthropic gets its own form of everything, and what it does not know is left out", () => {
  expect(writeAnthropicRequest(ask)).toEqual({
    model: "able",
    max_tokens: 1_000,
    system: "Be brief.",
    messages: [
      {
        role: "user",
        content: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(400) } },
          { type: "text", text: NASTY },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Look:" },
          { type: "tool_use", id: "c", name: "look", input: { at: null } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "seen" }] },
    ],
    tools: [{ name: "look", description: "d", input_schema: { type: "object", additionalProperties: false } }],
    temperature: 1,
    output_config: { effort: "low" },
  });
});

test.each(CODE_KINDS)("%s takes the key from the environment, and shows pictures short", (kind) => {
  const code = writeCode(kind, ask, ADDRESS);
  expect(code).toContain("ONE_API_KEY");
  expect(code).toContain("A".repeat(400));
  expect(shortened(code)).not.toContain("A".repeat(80));
});
