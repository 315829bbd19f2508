import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { recordOf } from "@one-api/providers/shared/json-fields";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import OpenAI from "openai";
import { setOptions } from "../../../testing/set-options.ts";
import { type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const [FIRST, SECOND, ALIAS] = ["gpt-4o-mini", "claude-opus-4-5", "fast"];
const PROMPT = [{ role: "user" as const, content: "hello" }];

/** What the gateway routes is an ordinary answer for the vendors' SDKs. */
describe("the vendors' SDKs behind aliases, fallbacks, groups, overrides and several keys", () => {
  let gateway: RelayTest;
  let first: StubServer;
  let second: StubServer;
  let key: string;
  beforeEach(async () => {
    gateway = await startRelayTest();
    [first, second] = [await gateway.upstream(), await gateway.upstream()];
    await gateway.addChannel(first, {
      name: "first",
      models: FIRST,
      key: "sk-one\nsk-two",
      overrides: JSON.stringify({ headers: { set: { "x-team": "one" } }, body: { default: { temperature: 0.2 } } }),
    });
    await gateway.addChannel(second, { name: "second", type: 14, models: SECOND });
    await setOptions(gateway.testApp, { ModelAliases: JSON.stringify({ [ALIAS]: [FIRST, SECOND] }) });
    key = await gateway.addToken();
  });
  afterEach(() => gateway.close());

  const callers = (): Readonly<Record<string, (model: string, fields?: object) => Promise<string>>> => {
    const openai = gateway.sdk(key);
    const anthropic = new Anthropic({ apiKey: key, baseURL: gateway.url, maxRetries: 0 });
    const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } });
    return {
      chat: async (model, fields) => {
        const { choices } = await openai.chat.completions.create({ model, messages: PROMPT, ...fields });
        return choices[0]?.message.content ?? "";
      },
      "streamed chat": async (model, fields) => {
        const stream = openai.chat.completions.stream({ model, messages: PROMPT, ...fields });
        return (await stream.finalChatCompletion()).choices[0]?.message.content ?? "";
      },
      response: async (model, fields) =>
        (await openai.responses.create({ model, input: "hello", ...fields })).output_text,
      message: async (model, fields) => {
        const { content } = await anthropic.messages.create({ model, max_tokens: 50, messages: PROMPT, ...fields });
        return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      },
      "streamed message": async (model, fields) =>
        anthropic.messages.stream({ model, max_tokens: 50, messages: PROMPT, ...fields }).finalText(),
      content: async (model) => (await google.models.generateContent({ model, contents: "hello" })).text ?? "",
    };
  };

  const servedModel = async () => (await gateway.lastLog()).model_name;

  for (const caller of ["chat", "streamed chat", "response", "message", "streamed message", "content"]) {
    it(`read the answers of both models of an alias: ${caller}`, async () => {
      assert.notEqual(await callers()[caller]?.(ALIAS), "");
      assert.equal(await servedModel(), FIRST);
      first.setBehaviour({ kind: "refuse", status: 500 });
      assert.notEqual(await callers()[caller]?.(ALIAS), "");
      assert.equal(await servedModel(), SECOND);
    });
  }

  for (const caller of ["chat", "streamed chat", "response", "message", "streamed message"]) {
    it(`send fallbacks as further fields, and read the answer of the second: ${caller}`, async () => {
      first.setBehaviour({ kind: "refuse", status: 500 });
      const fallbacks = caller.includes("message") ? [{ model: SECOND }] : [SECOND];
      assert.notEqual(await callers()[caller]?.(FIRST, { fallbacks }), "");
      assert.equal(await servedModel(), SECOND);
    });
  }

  it("get the answer of a token's second group", async () => {
    await gateway.addChannel(second, { name: "vip", models: FIRST, group: "vip" });
    const { client } = await gateway.testApp.logInAs("user", { quota: 50_000_000, group: "default,vip" });
    key = await gateway.addToken({ group: "default,vip" }, client);
    first.setBehaviour({ kind: "refuse", status: 500 });
    for (const caller of ["chat", "streamed chat", "message"]) assert.notEqual(await callers()[caller]?.(FIRST), "");
    assert.match((await gateway.lastLog()).detail, /"group":"vip"/);
  });

  it("get a refusal of their own kind for a model without a price, where these are refused", async () => {
    await gateway.addChannel(first, { name: "unpriced", models: "in-no-price-list" });
    await setOptions(gateway.testApp, { UnpricedModels: "refuse" });
    await assert.rejects(
      async () => callers()["chat"]?.("in-no-price-list"),
      (error) => error instanceof OpenAI.PermissionDeniedError && error.code === "model_without_price",
    );
    await assert.rejects(
      async () => callers()["message"]?.("in-no-price-list"),
      (error) => error instanceof Anthropic.PermissionDeniedError,
    );
  });

  it("get the answers of a channel with overrides, by its second key when the first is refused", async () => {
    first.setBehaviour((request) =>
      request.headers["authorization"] === "Bearer sk-one"
        ? { kind: "refuse", status: 401, reason: "invalid-api-key" }
        : { kind: "normal" },
    );
    for (let asked = 0; asked < 4; asked += 1) assert.notEqual(await callers()["chat"]?.(FIRST), "");
    const { headers, bodyText } = first.requests.at(-1) ?? assert.fail("no request was sent");
    assert.deepEqual([headers["x-team"], recordOf(JSON.parse(bodyText))["temperature"]], ["one", 0.2]);
  });
});
