import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UntranslatableError } from "../../neutral/chat-request.ts";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { sparkChat } from "./format.ts";

const messages = [{ role: "user", content: "hello" }];

function write(body: object) {
  const chat = openAiChat().chat;
  assert.ok(chat !== undefined && sparkChat.chat !== undefined);
  return sparkChat.chat.writeRequest(chat.readRequest({ model: "Spark-Max", messages, ...body }));
}

describe("Spark's chat", () => {
  it("requests calls as a list, and never usage", () => {
    const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
    const { body } = write({ tools, max_tokens: 5, stream: true, stream_options: { include_usage: true } });
    assert.deepEqual([body.tool_calls_switch, body.max_tokens, body.stream_options], [true, 5, undefined]);
    assert.equal(write({}).body.tool_calls_switch, undefined);
  });

  it("switches thinking for newer models only", () => {
    assert.deepEqual(write({ model: "Spark-X1", reasoning_effort: "low" }).body.thinking, { type: "enabled" });
    assert.deepEqual(write({ reasoning_effort: "low" }).dropped, ["reasoning"]);
  });

  it("refuses pictures instead of dropping them", () => {
    const content = [{ type: "image_url", image_url: { url: "https://host.example/a.png" } }];
    assert.throws(() => write({ messages: [{ role: "user", content }] }), UntranslatableError);
  });

  it("ends streams with a reason, which Spark does not report", () => {
    const finishOf = (delta: object) => {
      const decoder = sparkChat.chat?.decode();
      const chunk = { code: 0, message: "Success", sid: "s", id: "s", choices: [{ delta, index: 0 }] };
      const events = [...(decoder?.read("", JSON.stringify(chunk)) ?? []), ...(decoder?.read("", "[DONE]") ?? [])];
      assert.equal(events.at(-1)?.type, "stream-end");
      const finish = events.at(-2);
      return finish?.type === "answer-finish" ? finish.finish.reason : undefined;
    };
    assert.equal(finishOf({ role: "assistant", content: "Hi" }), "stop");
    const call = { id: "c", index: 0, type: "function", function: { name: "look", arguments: "{}" } };
    assert.equal(finishOf({ tool_calls: [call] }), "tool-calls");
  });

  it("recognizes errors by their codes, with any status", () => {
    const kindOf = (code: number) =>
      sparkChat.readError(200, {}, JSON.stringify({ code, message: "No.", sid: "s" })).kind;
    const kinds: Readonly<Record<string, readonly number[]>> = {
      "bad-request": [10003, 10013, 10907],
      "bad-credential": [10015],
      "out-of-credit": [10016, 11200],
      "rate-limited": [10007, 11202],
      overloaded: [10008, 10110],
      "server-error": [10012, 10222],
    };
    for (const [kind, codes] of Object.entries(kinds))
      for (const code of codes) assert.equal(kindOf(code), kind, String(code));
    assert.equal(sparkChat.carriesError({ code: 0, message: "Success", choices: [] }), false);
    const refused = JSON.stringify({ error: { message: "HMAC signature cannot be verified", type: "api_error" } });
    assert.equal(sparkChat.readError(401, {}, refused).kind, "bad-credential");
    assert.equal(sparkChat.chat?.decode().read("", '{"code":10014,"message":"No."}')[0]?.type, "error");
  });
});
