import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { stubServiceAccount } from "@one-api/providers/vendors/vertex/stub/google-token";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { updateOption } from "@one-api/contract/options/option";
import { isRecord, parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const CLAUDE = "claude-opus-4-1-20250805";
const GEMINI = "gemini-3.5-flash";
const LLAMA = "meta/llama-4-maverick-17b-128e-instruct-maas";

let gateway: RelayTest;
let upstream: StubServer;
let token: string;
let claude: Anthropic;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  const key = `us-central1|project|${stubServiceAccount(upstream.at("vertex"))}`;
  await gateway.addChannel(upstream, { type: 42, key, models: [CLAUDE, GEMINI, LLAMA].join() });
  token = await gateway.addToken();
  claude = new Anthropic({ apiKey: token, baseURL: gateway.url, maxRetries: 0 });
});
after(() => gateway.close());
beforeEach(() => {
  upstream.setBehaviour({ kind: "normal" });
  upstream.clearRequests();
});

const paths = () => upstream.requests.map(({ path }) => path);
const place = "projects/project/locations/us-central1";

describe("Vertex AI", () => {
  it("gives one token for calls that begin together, and for all that follow", async () => {
    const ask = () =>
      gateway.sdk(token).chat.completions.create({ model: GEMINI, messages: [{ role: "user", content: "hello" }] });
    await Promise.all([ask(), ask(), ask()]);
    await ask();
    const path = `/v1beta1/${place}/publishers/google/models/${GEMINI}:generateContent`;
    assert.deepEqual(paths(), ["/token", path, path, path, path]);
    assert.equal((await gateway.lastLog()).result, "ok");
  });

  it("serves Claude to Anthropic's callers: every byte but the model, which is in the path, and the version", async () => {
    const body = `{ "model" : "${CLAUDE}","max_tokens":50, "temperature": 1.00, "messages":[{"role":"user","content":"hello"}] }`;
    const answer = await gateway.post("/v1/messages", token, body, { "anthropic-version": "2023-06-01" });
    assert.equal(answer.status, 200, await answer.clone().text());
    const sent = upstream.requests.at(-1);
    assert.equal(sent?.path, `/v1/${place}/publishers/anthropic/models/claude-opus-4-1@20250805:rawPredict`);
    assert.equal(
      sent.bodyText,
      '{"anthropic_version":"vertex-2023-10-16","max_tokens":50, "temperature": 1.00, "messages":[{"role":"user","content":"hello"}] }',
    );
    let text = "";
    const asked = { model: CLAUDE, max_tokens: 50, messages: [{ role: "user" as const, content: "hello" }] };
    for await (const event of claude.messages.stream(asked)) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
    }
    assert.equal(text, "You said: hello");
    const streamed = upstream.requests.at(-1);
    assert.match(streamed?.path ?? "", /:streamRawPredict$/);
    assert.match(streamed?.bodyText ?? "", /^\{"anthropic_version":"2026-10-21"/);
    assert.equal(streamed?.headers["anthropic-version"], undefined);
    assert.equal((await gateway.lastLog()).result, "ok");
  });

  it("counts for Anthropic's and Google's callers", async () => {
    const messages = [{ role: "user" as const, content: "hello" }];
    assert.ok((await claude.messages.countTokens({ model: CLAUDE, messages })).input_tokens > 0);
    const counted = upstream.requests.at(-1);
    assert.match(counted?.path ?? "", /\/publishers\/anthropic\/models\/count-tokens:rawPredict$/);
    assert.equal(recordOf(counted?.body).model, "claude-opus-4-1@20250805");
    const gemini = new GoogleGenAI({ apiKey: token, httpOptions: { baseUrl: gateway.url } });
    const { totalTokens = 0 } = await gemini.models.countTokens({ model: GEMINI, contents: "hello" });
    assert.ok(totalTokens > 0);
    assert.match(paths().at(-1) ?? "", /:countTokens$/);
  });

  it("serves models of others by its API that is like OpenAI's", async () => {
    const answer = await claude.messages.create({
      model: LLAMA,
      max_tokens: 50,
      messages: [{ role: "user", content: "hello" }],
    });
    assert.deepEqual(answer.content[0]?.type === "text" && answer.content[0].text, "You said: hello");
    assert.equal(paths().at(-1), `/v1/${place}/endpoints/openapi/chat/completions`);
    assert.equal(recordOf(upstream.requests.at(-1)?.body).model, LLAMA);
  });

  it("that refuses a token gets another one in the same attempt", async () => {
    let refusals = 1;
    upstream.setBehaviour(({ path }) =>
      path !== "/token" && refusals-- > 0 ? { kind: "refuse", status: 401 } : { kind: "normal" },
    );
    await claude.messages.create({ model: CLAUDE, max_tokens: 50, messages: [{ role: "user", content: "hello" }] });
    assert.deepEqual(
      paths().map((path) => path.split(":").at(-1)),
      ["rawPredict", "/token", "rawPredict"],
    );
    assert.equal((await gateway.lastLog()).result, "ok");
  });

  it("whose document is wrong is passed over, and tells neither the key nor a place to send it to", async () => {
    const document = recordOf(parseJson(stubServiceAccount(upstream.at("vertex"))));
    const model = "gemini-3.1-pro-preview";
    const wrong = [
      { ...document, client_email: "other@project.iam.gserviceaccount.com" },
      { ...document, private_key: "-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----\n" },
      { ...document, token_uri: "http://169.254.169.254/token" },
      { ...document, token_uri: "https://169.254.169.254/token" },
      { type: "service_account" },
    ];
    for (const [index, fields] of wrong.entries()) {
      const key = `global|project|${JSON.stringify(fields)}`;
      await gateway.addChannel(upstream, {
        type: 42,
        name: `wrong ${index}`,
        key,
        models: model,
        priority: 100 - index,
      });
    }
    await gateway.addChannel(upstream, { type: 42, key: `global|project|${JSON.stringify(document)}`, models: model });
    await gateway.root.data(updateOption, { body: { key: "RetryTimes", value: String(wrong.length) } });
    const ask = gateway.sdk(token).chat.completions.create({ model, messages: [{ role: "user", content: "hello" }] });
    assert.equal((await ask).choices[0]?.message.content, "You said: hello");
    const log = await gateway.lastLog();
    assert.equal(log.result, "ok");
    const { attempts } = recordOf(parseJson(log.detail));
    const kinds = Array.isArray(attempts)
      ? attempts.map((attempt) => isRecord(attempt) && String(attempt.failure).replace(/:.*/, ""))
      : [];
    assert.deepEqual(kinds, ["bad-credential", "bad-credential", "bad-credential", "connection", "bad-credential", ""]);
    assert.doesNotMatch(log.detail, /PRIVATE KEY|169\.254/);
  });
});
