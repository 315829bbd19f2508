import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChatEvent } from "../../neutral/chat-answer.ts";
import { openAiChat } from "../../protocols/openai-chat/openai-chat.ts";
import { cozeChat } from "./format.ts";

const { chat } = cozeChat;
assert.ok(chat !== undefined);

function written(body: object) {
  const request = openAiChat().chat?.readRequest({ model: "bot-7342", ...body });
  return chat?.writeRequest(request ?? assert.fail("there is a way")) ?? assert.fail("there is a way");
}

function told(...events: readonly (readonly [name: string, value: object])[]): readonly ChatEvent[] {
  const decoder = chat?.decode() ?? assert.fail("there is a way");
  return events.flatMap(([name, value]) => decoder.read(name, JSON.stringify(value)));
}

function kindOf(...event: readonly [name: string, value: object]): string | undefined {
  const [failed] = told(event);
  return failed?.type === "error" ? failed.failure.kind : undefined;
}

const answer = (id: string, content: string, more = {}) => ({
  id,
  role: "assistant",
  type: "answer",
  content,
  ...more,
});

describe("Coze", () => {
  it("receives the whole conversation, system messages as the user's; dropped fields are named", () => {
    const picture = { type: "image_url", image_url: { url: "https://h.example/a.png" } };
    const call = { id: "1", type: "function", function: { name: "f", arguments: "{}" } };
    const { body, dropped } = written({
      messages: [
        { role: "system", content: "Be brief." },
        { role: "assistant", content: "Hello", tool_calls: [call] },
        { role: "tool", tool_call_id: "1", content: "Sunny" },
        { role: "user", content: [{ type: "text", text: "Look" }, picture] },
      ],
      max_tokens: 5,
      user: "somebody else",
    });
    assert.deepEqual([body.bot_id, body.stream, body.auto_save_history], ["7342", true, false]);
    const items = [
      { type: "text", text: "Look" },
      { type: "image", file_url: "https://h.example/a.png" },
    ];
    assert.deepEqual(body.additional_messages, [
      { role: "user", type: "question", content: "Be brief.", content_type: "text" },
      { role: "assistant", type: "answer", content: "Hello", content_type: "text" },
      { role: "user", type: "question", content: JSON.stringify(items), content_type: "object_string" },
    ]);
    assert.deepEqual(dropped, ["max_tokens", "user", "messages.tool_calls", "messages.tool_results"]);
  });

  it("receives no inline picture and no empty conversation", () => {
    const inside = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    assert.throws(() => written({ messages: [{ role: "user", content: [inside] }] }), /must be addresses/);
    assert.throws(() => written({ messages: [{ role: "user", content: "" }] }), /hold nothing/);
  });

  it("is read once, in pieces or whole, without the agent's other actions", () => {
    const events = told(
      ["conversation.chat.created", { id: "chat1" }],
      ["conversation.message.completed", { ...answer("0", "{}"), type: "function_call" }],
      ["conversation.message.delta", answer("1", "", { reasoning_content: "Hm." })],
      ["conversation.message.delta", answer("1", "Hel")],
      ["conversation.message.delta", answer("1", "lo")],
      ["conversation.message.completed", answer("1", "Hello")],
      ["conversation.message.completed", answer("2", "A card")],
      ["conversation.message.completed", { ...answer("3", "What else?"), type: "follow_up" }],
      ["conversation.chat.completed", { usage: { input_count: 7, output_count: 3 } }],
      ["done", {}],
    );
    assert.deepEqual(
      events.map((event) => ("text" in event ? event.text : event.type)),
      ["answer-start", "Hm.", "Hel", "lo", "\n\nA card", "answer-finish", "usage-report", "stream-end"],
    );
  });

  it("fails by its codes, with any status", () => {
    const read = (status: number, body: object) => cozeChat.readError(status, {}, JSON.stringify(body));
    const { kind, status } = read(200, { code: 4000, msg: "wrong" });
    assert.deepEqual([kind, status], ["bad-request", 400]);
    const codes = [4100, 4101, 4013, 4028, 4015, 5000, 1];
    assert.deepEqual(
      codes.map((code) => read(200, { code, msg: "m" }).kind),
      [
        "bad-credential",
        "bad-credential",
        "rate-limited",
        "out-of-credit",
        "unknown-model",
        "server-error",
        "bad-answer",
      ],
    );
    assert.equal(kindOf("conversation.chat.failed", { last_error: { code: 4028, msg: "used up" } }), "out-of-credit");
    assert.equal(kindOf("error", { code: 700_012_006, msg: "who?" }), "bad-credential");
    assert.equal(kindOf("conversation.chat.requires_action", {}), "broken-stream");
    assert.deepEqual(
      [{ code: 0 }, { code: 4000 }].map((body) => cozeChat.carriesError(body)),
      [false, true],
    );
  });

  it("reports no usage without counts", () => {
    assert.equal(cozeChat.readUsage({ usage: { token_count: 0, input_count: 0, output_count: 0 } }), undefined);
  });
});
