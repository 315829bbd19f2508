import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { ollamaChat } from "./format.ts";

function write(fields: object) {
  const chat = openAiChat().chat;
  assert.ok(chat !== undefined && ollamaChat.chat !== undefined);
  const asked = { model: "q", messages: [{ role: "user", content: "Hi" }], ...fields };
  return ollamaChat.chat.writeRequest(chat.readRequest(asked));
}

describe("options that Ollama alone has", () => {
  it("are read from the top level and from `options`", () => {
    for (const fields of [{ num_ctx: 32_768 }, { options: { num_ctx: 32_768 } }]) {
      const { body, dropped } = write(fields);
      assert.deepEqual([body.options, dropped], [{ num_ctx: 32_768 }, []]);
    }
    const { body } = write({
      min_p: 0.1,
      options: { num_ctx: 8, min_p: 0.2, repeat_penalty: 1.1, penalize_newline: true },
    });
    assert.deepEqual(body.options, { num_ctx: 8, min_p: 0.1, repeat_penalty: 1.1, penalize_newline: true });
  });

  it("yield to the request's own fields, and never raise the limit of an answer", () => {
    const { body } = write({ temperature: 0.5, max_tokens: 50, options: { temperature: 1, num_predict: 90, seed: 7 } });
    assert.deepEqual(body.options, { temperature: 0.5, num_predict: 50, seed: 7 });
    assert.deepEqual(write({ max_tokens: 50, options: { num_predict: 20 } }).body.options, { num_predict: 20 });
    const endless = write({ options: { num_predict: -1 } });
    assert.deepEqual([endless.body.options, endless.dropped], [undefined, ["options.num_predict"]]);
  });

  it("of the machine are dropped by name", () => {
    const { body, dropped } = write({ options: { num_gpu: 1, num_ctx: 8 }, keep_alive: -1 });
    assert.deepEqual([body.options, [...dropped].toSorted()], [{ num_ctx: 8 }, ["keep_alive", "options.num_gpu"]]);
  });

  it("of a wrong type are refused by name", () => {
    const cases = [
      [{ num_ctx: "8k" }, "num_ctx"],
      [{ options: { num_ctx: 8.5 } }, "options.num_ctx"],
      [{ options: { stop: [1] } }, "options.stop"],
      [{ options: [] }, "options"],
    ] as const;
    for (const [fields, field] of cases) {
      assert.throws(
        () => write(fields),
        (error) => error instanceof UntranslatableError && error.field === field,
      );
    }
  });
});
