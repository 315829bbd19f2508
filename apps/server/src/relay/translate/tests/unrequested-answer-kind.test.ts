import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { listOf, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { type RawUpstream, startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

const FACTS = { id: "chatcmpl-1", created: 1, model: TEST_MODEL };
const USAGE = { prompt_tokens: 30, completion_tokens: 20, total_tokens: 50 };
const WHOLE = JSON.stringify({
  ...FACTS,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
  usage: USAGE,
});
const chunk = (more: object) => `data: ${JSON.stringify({ ...FACTS, object: "chat.completion.chunk", ...more })}\n\n`;
const STREAM = [
  chunk({ choices: [{ index: 0, delta: { role: "assistant", content: "hel" }, finish_reason: null }] }),
  chunk({ choices: [{ index: 0, delta: { content: "lo" }, finish_reason: "stop" }] }),
  chunk({ choices: [], usage: USAGE }),
  "data: [DONE]\n\n",
].join("");

describe("an answer of the other kind than was asked for", () => {
  let gateway: RelayTest | undefined;
  let providers: RawUpstream[] = [];
  afterEach(async () => {
    await gateway?.close();
    for (const provider of providers.splice(0)) await provider.close();
    providers = [];
  });

  /** Starts a gateway with a channel for each answer: [content type, body]. The first has the highest priority. */
  async function start(...answers: readonly (readonly [type: string, body: string])[]): Promise<RelayTest> {
    const started = await startRelayTest();
    gateway = started;
    for (const [index, [type, body]] of answers.entries()) {
      const provider = await startRawUpstream((response) => {
        response.writeHead(200, { "content-type": type });
        response.end(body);
      });
      providers.push(provider);
      await started.addChannel(provider, { name: `channel ${index}`, priority: -index });
    }
    return started;
  }

  const body = { model: TEST_MODEL, max_tokens: 100, messages: [{ role: "user", content: "hi" }] };

  /** What the caller reads of a stream in either dialect. */
  const textOfStream = (text: string) =>
    text
      .split("\n")
      .filter((line) => line.startsWith("data: {"))
      .map((line) => recordOf(parseJson(line.slice("data: ".length))))
      .map(({ choices, delta }) => recordOf(recordOf(listOf(choices)[0]).delta)["content"] ?? recordOf(delta)["text"])
      .filter((piece) => typeof piece === "string")
      .join("");

  for (const path of [CHAT, "/v1/messages"]) {
    it(`is a whole answer for a caller of ${path} who asked for a stream`, async () => {
      const started = await start(["application/json", WHOLE]);
      const answer = await started.post(path, await started.addToken(), { ...body, stream: true });
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream/);
      const text = await answer.text();
      assert.equal(textOfStream(text), "hello");
      assert.match(text, path === CHAT ? /data: \[DONE\]\n\n$/ : /event: message_stop\n.*\n\n$/);
      const { prompt_tokens, completion_tokens, quota } = await started.lastLog();
      assert.deepEqual([prompt_tokens, completion_tokens], [30, 20]);
      assert.ok(quota > 0);
    });

    for (const type of ["text/event-stream", "application/json"]) {
      it(`is a stream of ${type} for a caller of ${path} who asked for none`, async () => {
        const started = await start([type, STREAM]);
        const answer = await started.post(path, await started.addToken(), body);
        assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "application/json"]);
        const { choices, content } = recordOf(await answer.json());
        const [choice, block] = [recordOf(listOf(choices)[0]), recordOf(listOf(content)[0])];
        assert.equal(recordOf(choice.message)["content"] ?? block.text, "hello");
        const { prompt_tokens, completion_tokens } = await started.lastLog();
        assert.deepEqual([prompt_tokens, completion_tokens], [30, 20]);
      });
    }
  }

  it("passes as a stream where only its type is wrong", async () => {
    const started = await start(["text/plain", STREAM]);
    const answer = await started.post(CHAT, await started.addToken(), { ...body, stream: true });
    assert.equal(textOfStream(await answer.text()), "hello");
  });

  it("makes the next channel answer where it is an error", async () => {
    const error = JSON.stringify({ error: { message: "Out of order.", type: "server_error" } });
    const started = await start(["application/json", error], ["application/json", WHOLE]);
    const key = await started.addToken();
    assert.equal(textOfStream(await (await started.post(CHAT, key, { ...body, stream: true })).text()), "hello");
    assert.equal((await started.lastLog()).detail.match(/"channel":/g)?.length, 2);
  });
});
