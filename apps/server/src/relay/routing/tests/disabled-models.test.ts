import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { deleteChannel, updateChannel } from "@one-api/contract/channels/channel";
import { eachDatabase } from "@one-api/database/test-databases";
import { recordOf } from "@one-api/providers/shared/json-fields";
import OpenAI from "openai";
import {
  CHAT,
  chatBody,
  errorOf,
  type RelayTest,
  startRelayTest,
  TEST_MODEL,
} from "../../../testing/start-relay-test.ts";

const MESSAGES = { model: TEST_MODEL, max_tokens: 10, messages: [{ role: "user" as const, content: "hello" }] };

eachDatabase((_open, kind) => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  /** A channel and one of another group, neither of them enabled unless that is said. */
  async function start(status: number = CHANNEL_STATUS.disabled) {
    test = await startRelayTest({ kind });
    const gateway = test;
    const upstream = await gateway.upstream();
    await gateway.addChannel(upstream);
    await gateway.addChannel(upstream, { models: "for-others", group: "vip" });
    const { db } = gateway.testApp.database;
    await db.updateTable("channels").set({ status }).execute();
    gateway.testApp.deps.changes.announce("channels");
    const key = await gateway.addToken();
    const enable = () => gateway.root.data(updateChannel, { body: { id: 1, status: CHANNEL_STATUS.enabled } });
    const ask = async (model = TEST_MODEL) => {
      const answer = await gateway.post(CHAT, key, chatBody("x", { model }));
      return [answer.status, (await errorOf(answer)).code];
    };
    return { gateway, key, enable, ask };
  }

  describe("a model whose channels are all switched off", () => {
    for (const status of [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled, CHANNEL_STATUS.reserve]) {
      it(`is not there right now, unlike one that was never there: status ${status}`, async () => {
        const { gateway, ask } = await start(status);
        assert.deepEqual(await ask(), [503, "model_unavailable"]);
        assert.deepEqual(await ask("never-there"), [404, "model_not_found"]);
        assert.deepEqual(await ask("nul\u0000in-it"), [404, "model_not_found"]);
        assert.deepEqual(await ask("for-others"), [404, "model_not_found"], "no channel of the caller's group");
        await gateway.root.data(deleteChannel, { params: { id: 1 } });
        assert.deepEqual(await ask(), [404, "model_not_found"]);
        const { logs, open, differences } = await gateway.books();
        assert.deepEqual([logs[0]?.result, logs[0]?.status_code, open, differences], ["refused", 503, 0, 0]);
      });
    }

    it("is told in each caller's own shape, and by the calls that only count", async () => {
      const { gateway, key } = await start();
      const errorAt = async (path: string, body: unknown) => {
        const answer = await gateway.post(path, key, body);
        const error = recordOf(recordOf(await answer.json())["error"]);
        return [answer.status, error["status"] ?? error["type"]];
      };
      for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
        assert.deepEqual(await errorAt(path, MESSAGES), [503, "overloaded_error"], path);
      }
      const contents = [{ role: "user", parts: [{ text: "hello" }] }];
      const generated = await errorAt(`/v1beta/models/${TEST_MODEL}:generateContent`, { contents });
      assert.deepEqual(generated, [503, "UNAVAILABLE"]);
    });

    it("is asked for again by the vendors' clients, which get their answer once a channel is back", async () => {
      const { gateway, key, enable } = await start();
      const statuses: number[] = [];
      const enabling: typeof fetch = async (input, init) => {
        const answer = await fetch(input, init);
        statuses.push(answer.status);
        if (answer.status !== 200) await enable();
        return answer;
      };
      const openai = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 1, fetch: enabling });
      const { choices } = await openai.chat.completions.create(MESSAGES);
      assert.equal(choices[0]?.message.content, "You said: hello");
      await gateway.root.data(updateChannel, { body: { id: 1, status: CHANNEL_STATUS.disabled } });
      const anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 1, fetch: enabling });
      const { content } = await anthropic.messages.create(MESSAGES);
      assert.equal(content[0]?.type, "text");
      assert.deepEqual(statuses, [503, 200, 503, 200]);
    });
  });
});
