import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { baiduChat, baiduEmbeddings } from "./format.ts";

const messages = [{ role: "user", content: "hello" }];

function write(body: object) {
  const chat = openAiChat().chat;
  assert.ok(chat !== undefined && baiduChat.chat !== undefined);
  return baiduChat.chat.writeRequest(chat.readRequest({ model: "ERNIE-4.0-8K", messages, ...body }));
}

describe("Baidu's older chat", () => {
  it("alternates user and model, with the system in its own field", () => {
    const { body, dropped } = write({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "one" },
        { role: "user", content: "two" },
        { role: "assistant", content: "three" },
        { role: "system", content: "four" },
      ],
    });
    assert.equal(body.system, "Be brief.");
    assert.deepEqual(body.messages, [
      { role: "user", content: "one\n\ntwo" },
      { role: "assistant", content: "three" },
      { role: "user", content: "four" },
    ]);
    assert.deepEqual(dropped, []);
  });

  it("writes parallel calls sequentially, and joins text after a result with it", () => {
    const call = (id: string) => ({ id, type: "function", function: { name: "look", arguments: `{"id":"${id}"}` } });
    const { body } = write({
      messages: [
        ...messages,
        { role: "assistant", content: null, tool_calls: [call("a"), call("b")] },
        { role: "tool", tool_call_id: "b", content: "B" },
        { role: "tool", tool_call_id: "a", content: "A" },
        { role: "user", content: "And?" },
      ],
    });
    assert.deepEqual(body.messages, [
      ...messages,
      { role: "assistant", content: "", function_call: { name: "look", arguments: '{"id":"a"}' } },
      { role: "function", name: "look", content: "A" },
      { role: "assistant", content: "", function_call: { name: "look", arguments: '{"id":"b"}' } },
      { role: "function", name: "look", content: "B\n\nAnd?" },
    ]);
  });

  it("respects the ranges of its fields, and names dropped fields", () => {
    const asked = {
      temperature: 2,
      frequency_penalty: 1,
      max_tokens: 100_000,
      stop: ["a", "x".repeat(21)],
      seed: 1,
      n: 2,
    };
    const { body, dropped } = write({ ...asked, disable_search: true, logit_bias: {} });
    const { temperature, penalty_score, max_output_tokens, stop, disable_search } = body;
    assert.deepEqual(
      { temperature, penalty_score, max_output_tokens, stop, disable_search },
      { temperature: 1, penalty_score: 1.5, max_output_tokens: 2_048, stop: ["a"], disable_search: true },
    );
    assert.deepEqual([...dropped].toSorted(), ["logit_bias", "n", "seed", "stop", "temperature"]);
    assert.equal(write({ temperature: 0 }).body.temperature, 0.01);
  });

  it("can force the only tool, but not one of several", () => {
    const tool = (name: string) => ({ type: "function", function: { name, parameters: {} } });
    const forced = { type: "function", function: { name: "a" } };
    assert.deepEqual(write({ tools: [tool("a")], tool_choice: "required" }).body.tool_choice, forced);
    const several = write({ tools: [tool("a"), tool("b")], tool_choice: "required" });
    assert.deepEqual([several.body.tool_choice, several.dropped], [undefined, ["tool_choice"]]);
    assert.equal(write({ tools: [tool("a")], tool_choice: "none" }).body.functions, undefined);
  });

  it("refuses pictures instead of dropping them", () => {
    const content = [{ type: "image_url", image_url: { url: "https://host.example/a.png" } }];
    assert.throws(() => write({ messages: [{ role: "user", content }] }), UntranslatableError);
  });

  it("reads a stream with cumulative counts, and a call in one piece", () => {
    const decoder = baiduChat.chat?.decode();
    const read = (event: object) => decoder?.read("", JSON.stringify({ id: "as-1", ...event })) ?? [];
    const usage = { prompt_tokens: 5, completion_tokens: 0, total_tokens: 7 };
    const events = [
      ...read({ result: "Hi", is_end: false, usage }),
      ...read({ is_end: true, result: "", function_call: { name: "look", thoughts: "Hm.", arguments: "{}" }, usage }),
    ];
    assert.equal(
      events.map(({ type }) => type).join(" "),
      "answer-start text-delta usage-report reasoning-delta tool-call-start tool-input-delta answer-finish usage-report stream-end",
    );
    const report = events.findLast((event) => event.type === "usage-report");
    assert.deepEqual([report?.usage.promptTokens, report?.usage.completionTokens], [5, 2]);
    const finish = events.find((event) => event.type === "answer-finish");
    assert.equal(finish?.finish.reason, "tool-calls");
  });

  it("recognizes errors by their codes, as all have a good status", () => {
    const kindOf = (code: number) =>
      baiduChat.readError(200, {}, JSON.stringify({ error_code: code, error_msg: "No." })).kind;
    const kinds: Readonly<Record<string, readonly number[]>> = {
      "server-error": [1, 999, 336000],
      overloaded: [2, 4, 336100],
      "unknown-model": [3, 6, 336005],
      "out-of-credit": [17, 19],
      "rate-limited": [18, 336501],
      "bad-credential": [100, 110, 111],
      "bad-request": [336003, 336103, 337002],
    };
    for (const [kind, codes] of Object.entries(kinds))
      for (const code of codes) assert.equal(kindOf(code), kind, String(code));
    assert.equal(baiduChat.carriesError({ error_code: 110 }), true);
    assert.equal(baiduChat.carriesError({ result: "Hi" }), false);
    assert.equal(baiduChat.readError(502, {}, "<html>").kind, "server-error");
  });
});

it("Baidu's older embeddings have a limit of texts per call", () => {
  const embed = (model: string, count: number) =>
    baiduEmbeddings.embeddings?.writeRequest({
      model,
      inputs: Array.from({ length: count }, () => "a"),
      dimensions: undefined,
      isBase64: false,
      isSingle: false,
      foreign: [],
    });
  assert.deepEqual(embed("bge-large-zh", 2)?.body, { input: ["a", "a"] });
  assert.throws(() => embed("bge-large-zh", 17), /16 at most/);
  assert.throws(() => embed("tao-8k", 2), /1 at most/);
});
