import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { ChatEventType, CozeAPI, type EnterMessage, RoleType } from "@coze/api";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const BOT = "7342000000000000000";

async function connect(t: TestContext) {
  const { upstream } = await withStubServer(t);
  return new CozeAPI({ baseURL: upstream.at("coze"), token: "pat_test" });
}

function ask(client: CozeAPI, additional_messages: EnterMessage[], bot_id = BOT) {
  return collect(client.chat.stream({ bot_id, user_id: "u", additional_messages, auto_save_history: false }));
}

const question: EnterMessage = { role: RoleType.User, content: "hello", content_type: "text" };

suite("Coze's API through the @coze/api SDK", () => {
  test("streams the answer of an agent and its usage", async (t) => {
    const seen = { text: "", output: 0, last: "" };
    for (const { event, data } of await ask(await connect(t), [question])) {
      seen.last = event;
      if (event === ChatEventType.CONVERSATION_MESSAGE_DELTA) seen.text += data.content;
      if (event === ChatEventType.CONVERSATION_CHAT_COMPLETED) seen.output = data.usage?.output_count ?? 0;
    }
    assert.deepEqual(seen, { text: "You said: hello", output: 3, last: "done" });
  });

  test("accepts pictures by address, and refuses invalid requests in Coze's format", async (t) => {
    const client = await connect(t);
    const look = [
      { type: "image" as const, file_url: "https://h.example/a.png" },
      { type: "text" as const, text: "Look" },
    ];
    const events = await ask(client, [{ role: RoleType.User, content: look, content_type: "object_string" }]);
    assert.match(JSON.stringify(events), /You said:/);
    await assert.rejects(ask(client, [question], "mine"), { name: "BadRequestError" });
  });
});
