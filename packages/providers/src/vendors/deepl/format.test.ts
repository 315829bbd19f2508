import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { deepLTranslation } from "./format.ts";

const { chat } = deepLTranslation;
assert.ok(chat !== undefined);

function read(body: object) {
  const request = openAiChat().chat?.readRequest({ model: "deepl-zh", ...body });
  return request ?? assert.fail("there is a way");
}

const said = (...contents: unknown[]) => ({ messages: contents.map((content) => ({ role: "user", content })) });
const written = (body: object) => chat.writeRequest(read(body));

describe("DeepL", () => {
  it("receives the language at the end of the model's name", () => {
    const languageOf = (model: string) => written({ model, ...said("hello") }).body.target_lang;
    const names = ["deepl-zh", "deepl-en", "deepl-pt", "deepl-pt-PT", "deepl-zh-hant", "deepl", "deepl-"];
    assert.deepEqual(names.map(languageOf), ["ZH", "EN-US", "PT-BR", "PT-PT", "ZH-HANT", "ZH", "ZH"]);
  });

  it("translates only the last message and names dropped fields", () => {
    const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const { body, dropped } = written({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "hello" }, picture] },
      ],
      temperature: 0.5,
      max_tokens: 10,
      tools: [{ type: "function", function: { name: "f" } }],
    });
    assert.deepEqual(body, { text: ["hello"], target_lang: "ZH", show_billed_characters: true });
    assert.deepEqual(dropped, ["tools", "max_tokens", "temperature", "messages", "messages.image"]);
    assert.throws(() => written(said("hello", [picture])), /no text/);
  });

  it("bills the reported characters, else the code points of the text", () => {
    assert.equal(chat.countUsage?.(read(said("before", "深 🙂"))).promptTokens, 3);
    const answer = {
      translations: [
        { text: "a", billed_characters: 7 },
        { text: "b", billed_characters: 2 },
      ],
    };
    assert.deepEqual([chat.readAnswer?.(answer).usage?.promptTokens, deepLTranslation.readUsage({})], [9, undefined]);
  });

  it("recognizes an exhausted quota, and an answer without a translation", () => {
    const { kind, message } = deepLTranslation.readError(456, {}, '{"message":"Quota Exceeded"}');
    assert.deepEqual([kind, message], ["out-of-credit", "Quota Exceeded"]);
    assert.equal(deepLTranslation.readError(403, {}, "").kind, "bad-credential");
    assert.deepEqual(
      [{}, { translations: [] }].map((answer) => deepLTranslation.carriesError(answer)),
      [true, false],
    );
    const [event] = chat.decode().read("", '{"message":"Internal"}');
    assert.equal(event?.type, "error");
  });
});
