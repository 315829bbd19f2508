import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recordOf } from "../../shared/json-fields.ts";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { readReplicateError, replicatePrediction } from "./format.ts";

const { chat } = replicatePrediction;
assert.ok(chat !== undefined);

function written(body: object) {
  const messages = [{ role: "user", content: "hello" }];
  const request = openAiChat().chat?.readRequest({ model: "anthropic/claude-4-sonnet", messages, ...body });
  const { body: asked, dropped } = chat?.writeRequest(request ?? assert.fail("no way")) ?? assert.fail("no way");
  return { input: recordOf(asked.input), dropped };
}

const picture = (name: string) => ({ type: "image_url", image_url: { url: `https://h.example/${name}.png` } });

describe("Replicate", () => {
  it("receives one message unchanged, and several with their speakers", () => {
    assert.deepEqual(written({}).input, { prompt: "hello" });
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "hello" },
      { role: "assistant", content: "Hi." },
      { role: "user", content: "How are you?" },
    ];
    assert.deepEqual(written({ messages }).input, {
      system_prompt: "Be brief.",
      prompt: "User: hello\n\nAssistant: Hi.\n\nUser: How are you?\n\nAssistant:",
    });
    assert.throws(() => written({ messages: [{ role: "system", content: "Be brief." }] }), /no text/);
  });

  it("receives the maker's names of limit, prompt and pictures", () => {
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Look" }, picture("a"), picture("b")] },
    ];
    const inputOf = (model: string) => written({ model, messages, max_tokens: 9 });
    const urls = ["https://h.example/a.png", "https://h.example/b.png"];
    const text = { prompt: "Look" };
    assert.deepEqual(inputOf("openai/gpt-5").input, {
      ...text,
      system_prompt: "Be brief.",
      max_completion_tokens: 9,
      image_input: urls,
    });
    assert.deepEqual(inputOf("google/gemini-3-pro").input, {
      ...text,
      system_instruction: "Be brief.",
      max_output_tokens: 9,
      images: urls,
    });
    const usual = inputOf("yorickvp/llava-13b");
    assert.deepEqual(usual.input, { ...text, system_prompt: "Be brief.", max_tokens: 9, image: urls[1] });
    assert.deepEqual(usual.dropped, ["messages.image"]);
    assert.throws(() => inputOf("meta/meta-llama-3-8b-instruct"), /reads no pictures/);
  });

  it("receives supported fields, and dropped fields are named", () => {
    const { input, dropped } = written({
      model: "meta/meta-llama-3-8b-instruct",
      max_tokens: 8_000,
      temperature: 0.5,
      stop: ["a", "b,c", "d"],
      tools: [{ type: "function", function: { name: "f" } }],
      reasoning_effort: "low",
    });
    assert.deepEqual(input, { prompt: "hello", max_tokens: 4_096, temperature: 0.5, stop_sequences: "a,d" });
    assert.deepEqual(dropped.toSorted(), ["max_tokens", "reasoning_effort", "stop", "tools"]);
    assert.equal(written({ model: "openai/gpt-5", reasoning_effort: "low" }).input.reasoning_effort, "low");
  });

  it("streams text unchanged, and ends with done, unless that has a reason", () => {
    const write = (...events: readonly (readonly [name: string, data: string])[]) => {
      const decoder = chat.decode();
      return events.flatMap(([name, data]) => decoder.read(name, data));
    };
    const events = write(["output", '{"a"'], ["output", "\n"], ["done", "{}"]);
    assert.deepEqual(
      events.map((event) => ("text" in event ? event.text : event.type)),
      ["answer-start", '{"a"', "\n", "answer-finish", "stream-end"],
    );
    const failures = [
      write(["error", '{"detail":"CUDA out of memory"}']),
      write(["error", "plain words"]),
      write(["done", '{"reason":"canceled"}']),
    ].map(([event]) => (event?.type === "error" ? event.failure.message : ""));
    assert.deepEqual(failures, ["CUDA out of memory", "plain words", "The prediction ended with canceled."]);
  });

  it("refuses in its own format, with the reset of its limit", () => {
    const read = (status: number, body: object) => readReplicateError(status, {}, JSON.stringify(body));
    const version = { title: "Invalid version or not permitted", detail: "The version does not exist", status: 422 };
    assert.equal(read(422, version).kind, "unknown-model");
    assert.deepEqual(
      [401, 402, 404, 422].map((status) => read(status, { title: "t", detail: "d", status }).kind),
      ["bad-credential", "out-of-credit", "unknown-model", "bad-request"],
    );
    const throttled = { detail: "Request was throttled. Expected available in 3 seconds.", status: 429 };
    assert.deepEqual([read(429, throttled).kind, read(429, throttled).retryAfterMs], ["rate-limited", 3_000]);
    assert.equal(read(429, { detail: "Slow down", retry_after: 7 }).retryAfterMs, 7_000);
  });
});
