import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type JsonRecord, listOf, parseJson, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { PIXEL } from "../../../testing/provider-trials/callers.ts";

/** One model of each kind of channel. */
const MODELS = ["gpt-4o", "claude-sonnet-4-5", "gemini-3-flash-preview"] as const;
const ABOUT_USER = { "x-openwebui-user-name": "Ada%20L", "x-openwebui-user-id": "1", "x-openwebui-chat-id": "c" };
const TOOL = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
};
const SYSTEM = { role: "system", content: "Be brief." };

let gateway: RelayTest;
let upstream: StubServer;
let key: string;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  const others = "text-embedding-3-small,tts-1,whisper-1,dall-e-2,gpt-image-1";
  await gateway.addChannel(upstream, { models: `gpt-4o,${others}` });
  await gateway.addChannel(upstream, { type: 14, models: "claude-sonnet-4-5" });
  await gateway.addChannel(upstream, { type: 24, models: "gemini-3-flash-preview" });
  await gateway.addChannel(upstream, { type: 35, models: "rerank-v3.5" });
  key = await gateway.addToken();
});
after(() => gateway.close());

/** What a stream of chat completions says, read line by line as Open WebUI reads it. */
async function stream(body: JsonRecord) {
  const always = { stream: true, stream_options: { include_usage: true } };
  const answer = await gateway.post(CHAT, key, { ...always, ...body }, ABOUT_USER);
  assert.match(answer.headers.get("content-type") ?? "", /text\/event-stream/);
  const seen = { text: "", input: "", completion: 0, isDone: false };
  for (const line of (await answer.text()).split("\n")) {
    if (!line.startsWith("data:")) continue;
    const data = line.slice("data:".length).trim();
    if (data === "[DONE]") seen.isDone = true;
    const { choices, usage } = recordOf(parseJson(data));
    seen.completion = Number(recordOf(usage)["completion_tokens"] ?? seen.completion);
    const delta = recordOf(recordOf(listOf(choices)[0])["delta"]);
    seen.text += textOf(delta["content"]);
    for (const call of listOf(delta["tool_calls"]).map(recordOf)) {
      assert.equal(call["index"], 0);
      seen.input += textOf(recordOf(call["function"])["arguments"]);
    }
  }
  return seen;
}

describe("calls as Open WebUI makes them", () => {
  it("checks a connection, lists models by their ids, and shows why a key is refused", async () => {
    const ask = (authorization: string) => fetch(`${gateway.url}/v1/models`, { headers: { authorization } });
    const listed = recordOf(await (await ask(`Bearer ${key}`)).json());
    const ids = listOf(listed["data"]).map((each) => textOf(recordOf(each)["id"]));
    for (const model of MODELS) assert.ok(ids.includes(model));
    const refused = await ask("Bearer sk-wrong");
    const { error } = recordOf(await refused.json());
    assert.deepEqual([refused.status, /not known/.test(textOf(recordOf(error)["message"]))], [401, true]);
  });

  for (const model of MODELS) {
    it(`${model}: streams, whatever parameters its settings add`, async () => {
      const messages = [SYSTEM, { role: "user", content: "hello" }];
      const added = { temperature: 0.7, min_p: 0.05, seed: 7, stop: ["###"], logit_bias: { "100": -5 } };
      for (const more of [added, { max_completion_tokens: 4_000, reasoning_effort: "low" }, { user: "ada" }]) {
        const { text, completion, isDone } = await stream({ model, messages, ...more });
        assert.deepEqual([text, completion > 0, isDone], ["You said: hello", true, true]);
      }
    });

    it(`${model}: calls tools, and takes its own calls back with their numbers`, async () => {
      upstream.setBehaviour({ kind: "normal", callTool: true });
      const question = { role: "user", content: "Ulm" };
      const { input } = await stream({ model, messages: [SYSTEM, question], tools: [TOOL] });
      upstream.setBehaviour({ kind: "normal" });
      assert.deepEqual(parseJson(input), { city: "Ulm" });
      const call = { index: 0, id: "call_1", type: "function", function: { name: "weather", arguments: input } };
      const told = { role: "tool", tool_call_id: "call_1", content: "Sunny" };
      upstream.clearRequests();
      const messages = [SYSTEM, question, { role: "assistant", content: "", tool_calls: [call] }, told];
      assert.notEqual((await stream({ model, messages, tools: [TOOL] })).text, "");
      assert.match(upstream.requests[0]?.bodyText ?? "", /Sunny/);
    });

    it(`${model}: sees pictures, and names a conversation in one piece`, async () => {
      const image = { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } };
      const messages = [{ role: "user", content: [{ type: "text", text: "Look" }, image] }];
      assert.equal((await stream({ model, messages })).text, "You said: Look");
      const task = { model, messages: [{ role: "user", content: "title" }], max_completion_tokens: 1_000 };
      const { choices } = recordOf(await (await gateway.post(CHAT, key, { ...task, stream: false })).json());
      assert.equal(recordOf(recordOf(listOf(choices)[0])["message"])["content"], "You said: title");
    });
  }

  it("embeds and ranks documents", async () => {
    const embedded = await gateway.post("/v1/embeddings", key, { input: ["a", "b"], model: "text-embedding-3-small" });
    assert.equal(listOf(recordOf(await embedded.json())["data"]).length, 2);
    const ask = { model: "rerank-v3.5", query: "q", documents: ["a", "b"], top_n: 2 };
    const { results } = recordOf(await (await gateway.post("/v1/rerank", key, ask)).json());
    for (const each of listOf(results).map(recordOf)) assert.equal(typeof each["relevance_score"], "number");
  });

  it("speaks, and writes down a recording whose part names no type", async () => {
    const spoken = await gateway.post("/v1/audio/speech", key, { model: "tts-1", input: "Hello", voice: "alloy" });
    assert.equal(spoken.headers.get("content-type"), "audio/mpeg");
    const recording = Buffer.from(await spoken.arrayBuffer());
    const part = (head: string, value: string | Buffer) =>
      Buffer.concat([Buffer.from(`--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n`), Buffer.from(value), NEXT]);
    const NEXT = Buffer.from("\r\n");
    const form = [part('name="model"', "whisper-1"), part('name="file"; filename="a.mp3"', recording)];
    const heard = await fetch(`${gateway.url}/v1/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "multipart/form-data; boundary=b" },
      body: Buffer.concat([...form, Buffer.from("--b--\r\n")]),
    });
    assert.equal(heard.status, 200);
    assert.notEqual(textOf(recordOf(await heard.json())["text"]), "");
  });

  it("makes pictures, and changes one or several", async () => {
    const ask = { model: "dall-e-2", prompt: "a cat", n: 1, size: "512x512", response_format: "b64_json" };
    const made = recordOf(await (await gateway.post("/v1/images/generations", key, ask)).json());
    assert.notEqual(textOf(recordOf(listOf(made["data"])[0])["b64_json"]), "");
    for (const names of [["image"], ["image[]", "image[]"]]) {
      const form = new FormData();
      for (const [name, value] of Object.entries({ model: "gpt-image-1", prompt: "blue", n: "1", size: "1024x1024" }))
        form.append(name, value);
      const picture = new Blob([Buffer.from(PIXEL, "base64")], { type: "image/png" });
      for (const name of names) form.append(name, picture, "image.png");
      const headers = { authorization: `Bearer ${key}` };
      const changed = await fetch(`${gateway.url}/v1/images/edits`, { method: "POST", headers, body: form });
      assert.notEqual(textOf(recordOf(listOf(recordOf(await changed.json())["data"])[0])["b64_json"]), "");
    }
  });
});
