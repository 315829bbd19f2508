import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { listChannels, updateChannel } from "@one-api/contract/channels/channel";
import { updateOption } from "@one-api/contract/options/option";
import { updateToken } from "@one-api/contract/token";
import { eachDatabase } from "@one-api/database/test-databases";
import OpenAI from "openai";
import {
  CHAT,
  chatBody,
  errorOf,
  type RelayTest,
  startRelayTest,
  TEST_MODEL,
  whenRefused,
} from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

eachDatabase((_open, kind) => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start(options: Parameters<typeof startRelayTest>[0] = {}) {
    test = await startRelayTest({ kind, ...options });
    return test;
  }

  describe("keys and channels", () => {
    it("[TLIMIT-25] [TLIMIT-26] refuses keys that may not call, and says why in OpenAI's shape", async () => {
      const gateway = await start();
      await gateway.addChannel(await gateway.upstream());
      const refusal = async (key: string, body = chatBody("x")) => {
        const answer = await gateway.post(CHAT, key, body);
        return [answer.status, (await errorOf(answer)).code];
      };
      assert.deepEqual(await refusal("sk-nobody"), [401, "invalid_api_key"]);
      assert.deepEqual(await refusal(""), [401, "missing_api_key"]);
      assert.deepEqual(await refusal(await gateway.addToken({ models: "other" })), [403, "model_not_allowed"]);
      assert.deepEqual(await refusal(await gateway.addToken({ subnet: "10.0.0.0/8,2001:db8::/32" })), [
        403,
        "network_not_allowed",
      ]);
      assert.equal(
        (await gateway.post(CHAT, await gateway.addToken({ subnet: "127.0.0.0/8" }), chatBody("x"))).status,
        200,
      );
    });

    it("slows an address that sends wrong keys, in every dialect, and no right key beside it", async () => {
      const gateway = await start({ environment: { TRUSTED_PROXIES: "127.0.0.0/8" } });
      await gateway.addChannel(await gateway.upstream());
      const key = await gateway.addToken();
      const from = (address: string) => ({ "x-forwarded-for": address });
      for (let go = 0; go < 30; go += 1) {
        const answer = await gateway.post(CHAT, `sk-wrong${go}`, chatBody("x"), from("198.51.100.7"));
        assert.deepEqual([answer.status, (await errorOf(answer)).code], [401, "invalid_api_key"]);
      }
      for (const path of [CHAT, "/v1/responses", "/v1/embeddings", "/v1/messages"]) {
        const slowed = await gateway.post(path, "sk-wrong", chatBody("x"), from("198.51.100.7"));
        assert.equal(slowed.status, 429, path);
        assert.match(slowed.headers.get("retry-after") ?? "", /^[1-9]\d?$/);
        await slowed.text();
      }
      assert.equal((await gateway.post(CHAT, key, chatBody("x"), from("198.51.100.7"))).status, 200);
      assert.equal((await gateway.post(CHAT, "sk-wrong", chatBody("x"), from("198.51.100.8"))).status, 401);
    });

    for (const [proxies, who, status] of [
      ["127.0.0.0/8", "that a trusted proxy tells", 200],
      ["", "of the connection, whatever it tells", 403],
    ] as const) {
      it(`holds a token's networks against the address ${who} [TLIMIT-28]`, async () => {
        const gateway = await start({ environment: { TRUSTED_PROXIES: proxies } });
        await gateway.addChannel(await gateway.upstream());
        const key = await gateway.addToken({ subnet: "198.51.100.0/24" });
        const forwarded = { "x-forwarded-for": "198.51.100.7" };
        assert.equal((await gateway.post(CHAT, key, chatBody("x"), forwarded)).status, status);
        assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 403);
      });
    }

    it("[V13] holds every restriction of a token against whatever header and dialect bring its key", async () => {
      const gateway = await start();
      await gateway.addChannel(await gateway.upstream());
      const disabled = await gateway.addToken();
      await gateway.root.data(updateToken, { query: { status_only: "true" }, body: { id: 1, status: 2 } });
      const used = await gateway.addToken({ rpm_limit: 1 });
      assert.equal((await gateway.post(CHAT, used, chatBody("x"))).status, 200);
      const free = await gateway.addToken();
      const restricted = {
        "another model's": [await gateway.addToken({ models: "other" }), 403],
        "another network's": [await gateway.addToken({ subnet: "10.0.0.0/8" }), 403],
        expired: [await gateway.addToken({ expired_time: 1 }), 401],
        disabled: [disabled, 401],
        "used this minute": [used, 429],
        poor: [await gateway.addToken({ remain_quota: 0 }), 403],
        "of nobody": [`${free}x`, 401],
      } as const;
      const ways = [
        [CHAT, (key: string) => ({ authorization: `Bearer ${key}` })],
        ["/v1/messages", (key: string) => ({ authorization: `Bearer ${key}` })],
        ["/v1/messages", (key: string) => ({ "x-api-key": key })],
      ] as const;
      for (const [path, headersOf] of ways) {
        const ask = async (key: string) => {
          const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01", ...headersOf(key) };
          const body = JSON.stringify(chatBody("x"));
          return (await fetch(`${gateway.url}${path}`, { method: "POST", headers, body })).status;
        };
        assert.equal(await ask(free), 200, `${path}, not restricted`);
        for (const [name, [key, status]] of Object.entries(restricted))
          assert.equal(await ask(key), status, `${path}, ${name}, ${Object.keys(headersOf("")).join()}`);
      }
    });

    it("holds a revoked key back at once", async () => {
      const gateway = await start();
      await gateway.addChannel(await gateway.upstream());
      const key = await gateway.addToken();
      assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 200);
      await gateway.root.data(updateToken, { query: { status_only: "true" }, body: { id: 1, status: 2 } });
      assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 401);
    });

    it("lets administrators name a channel behind the key, and nobody else", async () => {
      const gateway = await start();
      const [first, second] = [await gateway.upstream(), await gateway.upstream()];
      await gateway.addChannel(first, { priority: 10 });
      await gateway.addChannel(second);
      assert.equal((await gateway.post(CHAT, `${await gateway.addToken()}-2`, chatBody("x"))).status, 200);
      assert.equal(second.requests.length, 1);
      const { client } = await gateway.testApp.logInAs("user");
      const answer = await gateway.post(
        CHAT,
        `${await gateway.addToken({ remain_quota: 1_000_000 }, client)}-2`,
        chatBody("x"),
      );
      assert.equal(answer.status, 403);
    });

    it("serves nobody over a channel that is not enabled, named or not", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      const key = `${await gateway.addToken()}-1`;
      for (const status of [CHANNEL_STATUS.disabled, CHANNEL_STATUS.reserve]) {
        await gateway.root.data(updateChannel, { body: { id: 1, status } });
        const answer = await gateway.post(CHAT, key, chatBody("x"));
        assert.deepEqual([answer.status, (await errorOf(answer)).code], [403, "channel_disabled"]);
      }
      assert.equal(upstream.requests.length, 0);
      await gateway.root.data(updateChannel, { body: { id: 1, status: CHANNEL_STATUS.enabled } });
      assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 200);
    });

    it("never tells a caller that the gateway's own key was refused", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      upstream.setBehaviour({ kind: "refuse", status: 401 });
      await gateway.addChannel(upstream);
      const answer = await gateway.post(CHAT, await gateway.addToken(), chatBody("x"));
      const text = await answer.text();
      assert.equal(answer.status, 502);
      assert.doesNotMatch(text, /127\.0\.0\.1|sk-upstream/);
    });

    it("passes the provider's own words on when the request is at fault, without trying others", async () => {
      const gateway = await start();
      const [first, second] = [await gateway.upstream(), await gateway.upstream()];
      await gateway.addChannel(first);
      await gateway.addChannel(second);
      const answer = await gateway.post(
        CHAT,
        await gateway.addToken(),
        chatBody('[[fake: {"kind":"refuse","status":400,"message":"Bad temperature."}]]'),
      );
      assert.equal(answer.status, 400);
      assert.match((await errorOf(answer)).message, /^Bad temperature\. \(request id: /);
      assert.equal(first.requests.length + second.requests.length, 1);
    });

    it("lets a model sleep after a 429 while others of the channel serve [CHSTATE-11] [CHSTATE-16]", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream, { models: `${TEST_MODEL},gpt-4o` });
      const key = await gateway.addToken();
      const limited = await gateway.post(
        CHAT,
        key,
        chatBody('[[fake: {"kind":"refuse","status":429,"retryAfter":30}]]'),
      );
      assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "30"]);
      assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 429);
      assert.equal(upstream.requests.length, 1);
      assert.equal((await gateway.post(CHAT, key, chatBody("x", { model: "gpt-4o" }))).status, 200);
    });

    it("lets a channel rest whose streams keep breaking off", async () => {
      const gateway = await start();
      const [first, second] = [await gateway.upstream(), await gateway.upstream()];
      first.setBehaviour({ kind: "cut", afterChunks: 2 });
      await gateway.addChannel(first, { priority: 10 });
      await gateway.addChannel(second);
      const key = await gateway.addToken();
      for (let count = 0; count < 6; count += 1)
        await (await gateway.post(CHAT, key, chatBody("one two three four", { stream: true }))).text();
      assert.deepEqual([first.requests.length, second.requests.length], [5, 1]);
    });

    it("maps models and puts the channel's system prompt first", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream, {
        model_mapping: JSON.stringify({ [TEST_MODEL]: "gpt-4o" }),
        system_prompt: "Be kind.",
      });
      await gateway.post(CHAT, await gateway.addToken(), chatBody("x"));
      const { bodyText = "" } = upstream.requests[0] ?? {};
      assert.match(bodyText, /"model":"gpt-4o"/);
      assert.match(bodyText, /"messages":\[\{"role":"system","content":"Be kind\."\},\{"role":"user"/);
      assert.match((await gateway.books()).logs[0]?.detail ?? "", /"upstream_model":"gpt-4o".*"model_ratio":1\.25/);
    });

    it("lets no header through in either direction that is not meant to pass", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      upstream.setBehaviour({ kind: "unsolicited-headers" });
      await gateway.addChannel(upstream);
      const key = await gateway.addToken();
      const answer = await gateway.post(CHAT, key, chatBody("x"), {
        cookie: "session=stolen",
        "x-forwarded-for": "1.2.3.4",
        "x-custom": "1",
      });
      for (const name of ["set-cookie", "server", "location", "content-security-policy"]) {
        assert.equal(answer.headers.get(name), null, name);
      }
      assert.equal(answer.headers.get("access-control-allow-origin"), "*");
      const sent = upstream.requests[0]?.headers ?? {};
      for (const name of ["cookie", "x-forwarded-for", "x-custom"]) assert.equal(sent[name], undefined, name);
      assert.equal(sent["authorization"], "Bearer sk-upstream");
    });

    it("names the request under the header of One API as well, in answers, streams and errors", async () => {
      const gateway = await start();
      await gateway.addChannel(await gateway.upstream());
      const key = await gateway.addToken();
      const answers = [
        await gateway.post(CHAT, key, chatBody("x")),
        await gateway.post(CHAT, key, chatBody("x", { stream: true })),
        await gateway.post(CHAT, "sk-nobody", chatBody("x")),
        await gateway.post("/v1/nothing", key, {}),
        await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } }),
      ];
      for (const { status, headers } of answers) {
        assert.match(headers.get("x-oneapi-request-id") ?? "", /^[0-9a-f]{26}$/, String(status));
        assert.equal(headers.get("x-oneapi-request-id"), headers.get("x-request-id"));
      }
      await Promise.all(answers.map((answer) => answer.text()));
    });

    it("stops using a channel that was disabled a moment ago", async () => {
      const gateway = await start();
      await gateway.addChannel(await gateway.upstream());
      const key = await gateway.addToken();
      assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 200);
      await gateway.root.data(updateChannel, { body: { id: 1, status: 2 } });
      assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 503);
    });

    it("refuses bodies that it cannot read by naming the field", async () => {
      const gateway = await start();
      await gateway.addChannel(await gateway.upstream());
      const key = await gateway.addToken();
      for (const [body, code] of [
        ["{", "invalid_json"],
        ['{"model":"a","model":"b","messages":[1]}', "invalid_json"],
        [`{"model":"a","messages":[${"[".repeat(500)}${"]".repeat(500)}]}`, "invalid_json"],
        ['{"messages":[{}]}', "invalid_value"],
        [`{"model":"${TEST_MODEL}","messages":[{}],"max_tokens":-1}`, "invalid_value"],
      ] as const) {
        const answer = await gateway.post(CHAT, key, body);
        assert.deepEqual([answer.status, (await errorOf(answer)).code], [400, code], body.slice(0, 60));
      }
      assert.equal((await gateway.post("/v1/nowhere", key, {})).status, 404);
    });

    it("leads to no other model than the one that the token may call, however a provider takes others", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream, { type: 20 });
      const key = await gateway.addToken({ models: TEST_MODEL });
      for (const more of [{ models: ["dear"] }, { fallbacks: ["dear"] }, { fallbacks: [{ model: "dear" }] }]) {
        const answer = await gateway.post(CHAT, key, { ...chatBody("hello"), ...more });
        assert.deepEqual(
          [answer.status, (await errorOf(answer)).code],
          [403, "model_not_allowed"],
          JSON.stringify(more),
        );
      }
      for (const more of [
        { Models: ["dear"] },
        { models: "dear" },
        { tools: [{ type: "advisor_20260301", name: "advisor", model: "dear" }] },
        { tools: [{ type: "openrouter:advisor" }] },
        { input: [{ type: "additional_tools", tools: [{ type: "openrouter:advisor" }] }] },
        { tools: [{ type: "openrouter:painter", parameters: { model: "dear" } }] },
      ]) {
        const answer = await gateway.post(CHAT, key, { ...chatBody("hello"), ...more });
        assert.deepEqual([answer.status, (await errorOf(answer)).code], [400, "invalid_value"], JSON.stringify(more));
      }
      assert.equal(upstream.requests.length, 0);
      const tools = [{ type: "function", function: { name: "advisor", parameters: { model: "any" } } }];
      const none = { models: [], fallbacks: null, tools };
      assert.equal((await gateway.post(CHAT, key, { ...chatBody("hello"), ...none })).status, 200);
    });

    it("sends prompts through moderation first where the token wants it [TLIMIT-22] [TLIMIT-23] [TLIMIT-24]", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream);
      const key = await gateway.addToken({ moderations_enable: true });
      assert.equal((await gateway.post(CHAT, key, chatBody("hello"))).status, 503);
      await gateway.addChannel(upstream, { models: "omni-moderation-latest" });
      assert.equal((await gateway.post(CHAT, key, chatBody("hello"))).status, 200);
      const answer = await gateway.post(CHAT, key, chatBody("a story of violence"));
      assert.deepEqual([answer.status, (await errorOf(answer)).code], [400, "content_policy_violation"]);
      const books = await gateway.books();
      // Refusals are written beside requests, so an entry may come later than its call.
      const logs = books.logs.toSorted((left, right) => left.status_code - right.status_code);
      assert.deepEqual(
        logs.map(({ result, status_code, quota }) => [result, status_code, quota > 0]),
        [
          ["ok", 200, true],
          ["refused", 400, false],
          ["refused", 503, false],
        ],
      );
      assert.match(logs[1]?.detail ?? "", /"refusal":"content_policy_violation"/);
      const { db } = gateway.testApp.database;
      assert.deepEqual(await db.selectFrom("tokens").select("flagged_count").execute(), [{ flagged_count: 1 }]);
      assert.deepEqual([books.differences, books.open], [0, 0]);
    });

    it("disables a channel that has spent its limit [CHSTATE-30]", async () => {
      const gateway = await start();
      const upstream = await gateway.upstream();
      await gateway.addChannel(upstream, { soft_limit_usd: 1 });
      await gateway.root.data(updateOption, {
        body: { key: "ModelRatio", value: JSON.stringify({ [TEST_MODEL]: 5_000 }) },
      });
      const key = await gateway.addToken();
      await gateway.post(
        CHAT,
        key,
        chatBody(
          '[[fake: {"kind":"usage-override","report":"given","usage":{"prompt_tokens":60,"completion_tokens":0}}]]',
        ),
      );
      await gateway.post(
        CHAT,
        key,
        chatBody(
          '[[fake: {"kind":"usage-override","report":"given","usage":{"prompt_tokens":60,"completion_tokens":0}}]]',
        ),
      );
      await waitUntil(async () => {
        const [channel] = await gateway.root.data(listChannels);
        return channel?.status === CHANNEL_STATUS.autoDisabled;
      });
      assert.equal((await whenRefused(() => gateway.post(CHAT, key, chatBody("x")))).status, 503);
    });

    it("[V27] lets pages of any origin call, without cookies", async () => {
      const gateway = await start();
      await gateway.addChannel(await gateway.upstream());
      const preflight = await fetch(gateway.url + CHAT, {
        method: "OPTIONS",
        headers: { origin: "https://chat.example" },
      });
      assert.equal(preflight.status, 204);
      assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /authorization/);
      const answer = await gateway.post(CHAT, await gateway.addToken(), chatBody("x"), {
        origin: "https://chat.example",
      });
      assert.equal(answer.headers.get("access-control-allow-origin"), "*");
      assert.equal(answer.headers.get("access-control-allow-credentials"), null);
      assert.equal((await gateway.post(CHAT, "sk-x", {})).headers.get("access-control-allow-origin"), "*");
      const cookie = `session=${gateway.root.sessionId()}`;
      const byCookie = await fetch(gateway.url + CHAT, { method: "POST", headers: { cookie }, body: "{}" });
      assert.equal(byCookie.status, 401, "a session of the console is no key");
    });

    it("holds a caller to its rate and says when to come back [TLIMIT-13]", async () => {
      const gateway = await start();
      await gateway.addChannel(await gateway.upstream());
      const sdk = gateway.sdk(await gateway.addToken({ rpm_limit: 2 }));
      const call = () => sdk.chat.completions.create({ model: TEST_MODEL, messages: [{ role: "user", content: "x" }] });
      const { response } = await call().withResponse();
      assert.equal(response.headers.get("x-ratelimit-remaining-requests"), "1");
      await call();
      await assert.rejects(call(), (error: unknown) => {
        assert.ok(error instanceof OpenAI.RateLimitError);
        return Number(error.headers?.get("retry-after")) > 0;
      });
    });
  });
});
