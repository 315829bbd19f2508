import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { aiProxyLibrary } from "./format.ts";

const { chat } = aiProxyLibrary;
assert.ok(chat !== undefined);

function written(content: unknown, more = {}) {
  const messages = [
    { role: "user", content: "before" },
    { role: "user", content },
  ];
  const request = openAiChat().chat?.readRequest({ model: "gpt-4o-mini", messages, ...more });
  return chat?.writeRequest(request ?? assert.fail("there is a way")) ?? assert.fail("there is a way");
}

const documents = [
  { title: "A [b]\nc", url: "https://h.example/a_(b)" },
  { title: "Only a name", url: "javascript:alert(1)" },
];
const REFERENCES = "\n\n**References**\n\n1. [A b c](https://h.example/a_%28b%29)\n2. Only a name";

describe("AI Proxy's knowledge base", () => {
  it("receives only the last message", () => {
    const { body, dropped } = written("What is it?", { temperature: 1 });
    assert.deepEqual(body, { model: "gpt-4o-mini", query: "What is it?", stream: false });
    assert.deepEqual(dropped, ["temperature", "messages"]);
    assert.throws(() => written([{ type: "image_url", image_url: { url: "https://h.example/a.png" } }]), /no text/);
  });

  it("lists its documents after the answer, whole or streamed", () => {
    const whole = chat.readAnswer?.({ success: true, answer: "It is.", documents });
    assert.deepEqual(whole?.choices[0]?.parts, [{ type: "text", text: `It is.${REFERENCES}` }]);
    const decoder = chat.decode();
    const pieces = [
      { content: "It", finish: false, documents },
      { content: " is.", finish: false, documents: [] },
      { content: "", finish: true },
    ];
    const events = pieces.flatMap((piece) => decoder.read("", JSON.stringify(piece)));
    assert.equal(
      events.map((event) => (event.type === "text-delta" ? event.text : "")).join(""),
      `It is.${REFERENCES}`,
    );
    assert.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ["answer-finish", "stream-end"],
    );
  });

  it("refuses with a good status", () => {
    const refusal = { success: false, errCode: 403, message: "no such library" };
    assert.deepEqual(
      [refusal, {}, { answer: "" }].map((body) => aiProxyLibrary.carriesError(body)),
      [true, true, false],
    );
    assert.equal(aiProxyLibrary.readError(200, {}, JSON.stringify(refusal)).message, "no such library");
    assert.equal(chat.decode().read("", JSON.stringify(refusal))[0]?.type, "error");
  });
});
