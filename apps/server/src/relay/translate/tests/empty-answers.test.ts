import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { testChannel } from "@one-api/contract/channels/channel-tests";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const USAGE = { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 };
const DONE = "data: [DONE]\n\n";

function streamed(...events: readonly string[]) {
  return (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events.join(""));
  };
}

function whole(answer: object) {
  return (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  };
}

const piece = (choices: readonly object[], usage?: object) =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices, usage })}\n\n`;

/** What a provider answers in which nothing is. */
const EMPTY = [
  { name: "a stream of its end alone", stream: true, answer: streamed(DONE) },
  { name: "a stream of a report of usage alone", stream: true, answer: streamed(piece([], USAGE), DONE) },
  {
    name: "no choices",
    stream: false,
    answer: whole({ id: "x", object: "chat.completion", choices: [], usage: USAGE }),
  },
  {
    name: "an answer of Anthropic's format",
    stream: false,
    answer: whole({
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: "Hi" }],
      stop_reason: "end_turn",
    }),
  },
  { name: "a document of anything else", stream: false, answer: whole({ status: "ok" }) },
  {
    name: "a stream of Anthropic's format",
    stream: true,
    answer: streamed(
      `data: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } })}\n\n`,
      `data: ${JSON.stringify({ type: "message_stop" })}\n\n`,
    ),
  },
  {
    name: "a document that calls itself a stream",
    stream: true,
    answer: streamed(JSON.stringify({ error: { message: "CUDA died" } })),
  },
  { name: "null for choices", stream: false, answer: whole({ id: "x", object: "chat.completion", choices: null }) },
  {
    name: "nothing but comments",
    stream: true,
    answer: (response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const comments = setInterval(() => response.write(": busy\n\n"), 50);
      response.on("close", () => clearInterval(comments));
    },
  },
] as const;

const GOOD = {
  stream: streamed(piece([{ index: 0, delta: { content: "good" }, finish_reason: "stop" }]), DONE),
  whole: whole({
    id: "x",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "good" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
  }),
};

describe("an answer in which nothing is", () => {
  let test: RelayTest;
  const servers: Server[] = [];
  before(async () => {
    test = await startRelayTest({ timeouts: { answerFirstByteMs: 500 } });
  });
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await test.close();
  });

  async function serve(answer: (response: ServerResponse) => void): Promise<{ url: string }> {
    const server = createServer((request, response) => {
      request.resume();
      request.on("end", () => answer(response));
    });
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = addressOf(server);
    return { url: `http://127.0.0.1:${port}` };
  }

  for (const [index, { name, stream, answer }] of EMPTY.entries())
    it(`is that of another channel where the first one sends ${name}`, async () => {
      const model = `empty-${index}`;
      await test.addChannel(await serve(answer), { models: model, priority: 9 });
      await test.addChannel(await serve(stream ? GOOD.stream : GOOD.whole), { models: model, priority: 1 });
      const key = await test.addToken({ unlimited_quota: true });
      const answered = await test.post(CHAT, key, chatBody("hello", { model, stream }));
      assert.equal(answered.status, 200);
      assert.match(await answered.text(), /good/);
    });

  it("keeps the words of a refusal of the request that calls itself a stream", async () => {
    const message = "This model's maximum context length is 40960 tokens. However, you requested 50000.";
    const refusal = JSON.stringify({ error: { message, type: "BadRequestError", code: 400 } });
    await test.addChannel(await serve(streamed(refusal)), { models: "refusing" });
    const key = await test.addToken({ unlimited_quota: true });
    const answered = await test.post(CHAT, key, chatBody("hello", { model: "refusing", stream: true }));
    assert.equal(answered.status, 400);
    const { code, message: told } = await errorOf(answered);
    assert.equal(code, "context_length_exceeded");
    assert.ok(told.startsWith(message));
  });

  for (const [index, { name, answer }] of EMPTY.filter(({ stream }) => !stream).entries())
    it(`fails the test of its channel: ${name}`, async () => {
      const body = {
        type: 8,
        name,
        key: "sk-upstream",
        models: `tested-${index}`,
        base_url: (await serve(answer)).url,
      };
      const [id = 0] = (await test.root.data(createChannel, { body })).ids;
      const { envelope } = await test.root.send(testChannel, { params: { id } });
      assert.deepEqual([envelope?.success, envelope?.code], [false, "channel-test-failed"]);
      assert.equal(envelope?.values?.failure, "bad-answer");
      assert.match(envelope?.message ?? "", /channel's type and base_url/);
    });
});

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return address;
}
