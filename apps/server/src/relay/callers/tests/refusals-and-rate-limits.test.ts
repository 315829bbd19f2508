import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "node:test";
import { logDetailSchema } from "@one-api/contract/logs/log-detail";
import type { RefusalValues } from "@one-api/contract/logs/refusal-values";
import { updateOption } from "@one-api/contract/options/option";
import { type CreateTokenInput, updateToken } from "@one-api/contract/token";
import * as z from "zod/mini";
import { eachDatabase } from "@one-api/database/test-databases";
import { startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

const CONTACT = "help@example.com";

const refusalSchema = z.pick(logDetailSchema, { refusal: true, refusal_values: true, refusal_count: true });

/** A way in which the gateway refuses a call of a known token. */
interface Refusal {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly token?: Partial<CreateTokenInput>;
  readonly body?: unknown;
  readonly path?: string;
  /** Calls that are let through before. */
  readonly callsBefore?: number;
  /** What the sentence says besides the code. */
  readonly values?: RefusalValues;
  /** What is behind the key. */
  readonly suffix?: string;
}

const REFUSALS: readonly Refusal[] = [
  {
    name: "no quota",
    status: 403,
    code: "insufficient_quota",
    token: { remain_quota: 1 },
    values: { needed: 72, left: 1 },
  },
  { name: "a model that the token may not call", status: 403, code: "model_not_allowed", token: { models: "other" } },
  {
    name: "a model that no channel serves",
    status: 404,
    code: "model_not_found",
    body: chatBody("x", { model: "none" }),
  },
  {
    name: "too many requests",
    status: 429,
    code: "rate_limit_exceeded",
    token: { rpm_limit: 1 },
    callsBefore: 1,
    values: { limited: "requests", limit: 1, window: 60 },
  },
  { name: "another network", status: 403, code: "network_not_allowed", token: { subnet: "10.0.0.0/8" } },
  { name: "an expired token", status: 401, code: "token_expired", token: { expired_time: 1_000_000_000 } },
  { name: "a body that is no JSON", status: 400, code: "invalid_json", body: "{" },
  { name: "a field with a wrong value", status: 400, code: "invalid_value", body: chatBody("x", { max_tokens: -1 }) },
  { name: "an unknown path", status: 404, code: "unknown_url", path: "/v1/nothing" },
  { name: "what OpenAI alone has", status: 501, code: "api_not_implemented", path: "/v1/assistants" },
  { name: "the models of speech, as their voices", status: 501, code: "api_not_implemented", path: "/v1/audio/models" },
  { name: "a channel that does not exist", status: 400, code: "invalid_channel", suffix: "-999" },
  {
    name: "a prompt that nobody can judge",
    status: 503,
    code: "moderation_unavailable",
    token: { moderations_enable: true },
  },
];

eachDatabase((open, kind) => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start() {
    test = await startRelayTest({ kind });
    await test.addChannel(await test.upstream());
    return test;
  }

  describe("a refused call of a known token", () => {
    it("is told to the caller with the contact and to the log with its reason, and costs nothing [TLIMIT-13] [TLIMIT-21]", async () => {
      const gateway = await start();
      for (const [index, refusal] of REFUSALS.entries()) {
        const key = await gateway.addToken({ custom_contact: CONTACT, rpm_limit: 100, ...refusal.token });
        const call = () =>
          gateway.post(refusal.path ?? CHAT, key + (refusal.suffix ?? ""), refusal.body ?? chatBody("x"));
        for (let count = 0; count < (refusal.callsBefore ?? 0); count += 1) await (await call()).text();
        const known = (await gateway.books()).logs.length;
        const answer = await call();
        const error = await errorOf(answer);
        assert.deepEqual([answer.status, error.code], [refusal.status, refusal.code], refusal.name);
        assert.match(error.message, new RegExp(`Contact: ${CONTACT} \\(request id: `), refusal.name);
        const limit = String(refusal.token?.rpm_limit ?? 100);
        assert.equal(answer.headers.get("x-ratelimit-limit-requests"), limit, refusal.name);
        for (const part of ["remaining", "reset"])
          assert.ok(answer.headers.has(`x-ratelimit-${part}-requests`), refusal.name);
        assert.equal(answer.headers.has("retry-after"), refusal.status === 429, refusal.name);

        const books = await gateway.books();
        const [log, ...more] = books.logs.slice(known);
        assert.deepEqual(more, [], refusal.name);
        assert.deepEqual([log?.result, log?.status_code, log?.quota], ["refused", refusal.status, 0], refusal.name);
        assert.equal(log?.token_id, index + 1, refusal.name);
        const told = {
          refusal: refusal.code,
          refusal_count: 1,
          ...(refusal.values && { refusal_values: refusal.values }),
        };
        assert.deepEqual(refusalSchema.parse(JSON.parse(log?.detail ?? "")), told);
        assert.ok(error.message.startsWith(log?.content ?? "-"), log?.content);
        assert.deepEqual([books.open, books.differences], [0, 0], refusal.name);
      }
    });

    it("names a disabled token's contact too", async () => {
      const gateway = await start();
      const key = await gateway.addToken({ custom_contact: CONTACT });
      await gateway.root.data(updateToken, { query: { status_only: "true" }, body: { id: 1, status: 2 } });
      const answer = await gateway.post(CHAT, key, chatBody("x"));
      assert.match((await errorOf(answer)).message, /This API key is disabled\. Contact: help@example\.com/);
      assert.deepEqual(
        (await gateway.books()).logs.map(({ result, status_code }) => [result, status_code]),
        [["refused", 401]],
      );
    });

    it("shares one row with others of its kind, which says how many there were", async () => {
      const gateway = await start();
      const [first, second] = [
        await gateway.addToken({ models: "other" }),
        await gateway.addToken({ models: "other" }),
      ];
      for (let count = 0; count < 30; count += 1) await (await gateway.post(CHAT, first, chatBody("x"))).text();
      await (await gateway.post(CHAT, second, chatBody("x"))).text();
      await (await gateway.post(CHAT, first, "{")).text();
      const { logs } = await gateway.books();
      assert.equal(logs.length, 4);
      assert.deepEqual(
        logs.map(({ content }) => /\((\d+) refusals like this one in 10 s\.\)$/.exec(content)?.[1]).filter(Boolean),
        ["29"],
      );
    });

    it("is not told where usage is not logged, and a key that nobody knows never is", async () => {
      const gateway = await start();
      assert.equal((await gateway.post(CHAT, "sk-nobody", chatBody("x"))).status, 401);
      assert.equal((await gateway.books()).logs.length, 0);
      await gateway.root.data(updateOption, { body: { key: "LogConsumeEnabled", value: "false" } });
      assert.equal((await gateway.post(CHAT, await gateway.addToken({ models: "other" }), chatBody("x"))).status, 403);
      assert.equal((await gateway.books()).logs.length, 0);
    });

    it("leaves its row behind when the gateway stops right after it", async () => {
      const database = await open();
      test = await startRelayTest({ database });
      await test.addChannel(await test.upstream());
      await test.post(CHAT, await test.addToken({ models: "other" }), chatBody("x"));
      await test.close();
      test = undefined;
      assert.deepEqual(await database.db.selectFrom("logs").select("result").execute(), [{ result: "refused" }]);
    });
  });

  describe("limits per minute", () => {
    it("are told with every answer: whole, streamed, of models, and refused [TLIMIT-12]", async () => {
      const gateway = await start();
      const key = await gateway.addToken({ rpm_limit: 3, tpm_limit: 1, dpm_limit: 5 });
      const standing = (answer: Response) =>
        ["limit", "remaining", "reset"].map((part) =>
          ["requests", "images", "tokens"].map((what) => answer.headers.get(`x-ratelimit-${part}-${what}`)),
        );
      const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
      assert.deepEqual(standing(models), [
        ["3", "5", "1000"],
        ["3", "5", "1000"],
        ["0s", "0s", "0s"],
      ]);
      for (const stream of [false, true]) {
        const answer = await gateway.post(CHAT, key, chatBody("x", { stream, max_tokens: 10 }));
        await answer.text();
        const [limits, remaining, resets] = standing(answer);
        assert.deepEqual(limits, ["3", "5", "1000"]);
        assert.deepEqual(remaining?.slice(0, 2), [stream ? "1" : "2", "5"]);
        assert.ok(Number(remaining?.[2]) > 0 && Number(remaining?.[2]) < 1000);
        assert.match(String(resets?.[0]), /^\d+s$/);
      }
      assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 200);
      const refused = await gateway.post(CHAT, key, chatBody("x"));
      assert.equal(refused.status, 429);
      assert.equal(standing(refused)[1]?.[0], "0");
      assert.equal(`${refused.headers.get("retry-after")}s`, refused.headers.get("x-ratelimit-reset-requests"));
    });

    it("count prompt and completion against the tokens per minute [TLIMIT-09]", async () => {
      const gateway = await start();
      const key = await gateway.addToken({ tpm_limit: 1 });
      const usage = { prompt_tokens: 700, completion_tokens: 50 };
      const content = `[[fake: ${JSON.stringify({ kind: "usage-override", report: "given", usage })}]]`;
      const call = () => gateway.post(CHAT, key, chatBody(content, { max_tokens: 60 }));
      await (await call()).text();
      const models = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
      assert.equal(models.headers.get("x-ratelimit-remaining-tokens"), "250");
      assert.equal((await call()).status, 200);
      const refused = await call();
      assert.deepEqual([refused.status, (await errorOf(refused)).type], [429, "tokens"]);
    });

    it("let exactly as many of many parallel calls through as they say [TLIMIT-07]", async () => {
      const gateway = await start();
      const key = await gateway.addToken({ rpm_limit: 10 });
      const answers = await Promise.all(Array.from({ length: 60 }, () => gateway.post(CHAT, key, chatBody("x"))));
      const admitted = answers.filter(({ status }) => status === 200).length;
      const refused = answers.filter(({ status }) => status === 429).length;
      assert.deepEqual([admitted, refused], [10, 50]);
      const { logs, open: left, differences } = await gateway.books();
      assert.deepEqual([logs.filter(({ result }) => result === "ok").length, left, differences], [10, 0, 0]);
    });

    it("hold what running requests may use, and give back what they did not", async (context) => {
      const gateway = await start();
      const running = Promise.withResolvers<ServerResponse>();
      const provider = await startRawUpstream(running.resolve);
      context.after(() => provider.close());
      await gateway.addChannel(provider, { models: "slow" });
      const key = await gateway.addToken({ tpm_limit: 1 });
      const slow = gateway.post(CHAT, key, chatBody("x", { model: "slow", max_tokens: 990 }));
      const response = await running.promise;
      const refused = await gateway.post(CHAT, key, chatBody("x"));
      assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "5"]);
      response.end(
        '{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"}}],"usage":{"prompt_tokens":5,"completion_tokens":5}}',
      );
      assert.equal((await slow).status, 200);
      assert.equal((await gateway.post(CHAT, key, chatBody("x"))).status, 200);
    });
  });
});
