import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from "openai";
import type OpenAI from "openai";
import type { RefuseBehaviour } from "@one-api/providers/stub-kit/behaviour";
import { withStubServer } from "./testing/with-stub-server.ts";

async function refusedChat(client: OpenAI): Promise<APIError> {
  try {
    await client.chat.completions.create({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }] });
  } catch (error) {
    assert.ok(error instanceof APIError);
    return error;
  }
  return assert.fail("the request was answered");
}

type ErrorClass = new (...details: never[]) => APIError;
type Case = [refusal: Omit<RefuseBehaviour, "kind">, error: ErrorClass, code: string | null | undefined];

const cases: Case[] = [
  [{ status: 400 }, BadRequestError, "invalid_prompt"],
  [{ status: 400, reason: "context-length-exceeded" }, BadRequestError, "context_length_exceeded"],
  [{ status: 401 }, AuthenticationError, "invalid_api_key"],
  [{ status: 401, reason: "account-deactivated" }, AuthenticationError, "account_deactivated"],
  [{ status: 403 }, PermissionDeniedError, "unsupported_country_region_territory"],
  [{ status: 404 }, NotFoundError, "model_not_found"],
  [{ status: 429 }, RateLimitError, "rate_limit_exceeded"],
  [{ status: 429, reason: "insufficient-quota" }, RateLimitError, "insufficient_quota"],
  [{ status: 500 }, InternalServerError, null],
  [{ status: 502 }, InternalServerError, undefined],
  [{ status: 503 }, InternalServerError, null],
  [{ status: 529 }, InternalServerError, null],
];

suite("refusals through the openai SDK", () => {
  for (const [refusal, errorClass, code] of cases) {
    test(`${refusal.status} ${refusal.reason ?? ""} is a ${errorClass.name}`, async (t) => {
      const { client, upstream } = await withStubServer(t, { behaviour: { kind: "refuse", ...refusal } });
      const error = await refusedChat(client);
      assert.ok(error instanceof errorClass);
      assert.equal(error.status, refusal.status);
      assert.equal(error.code, code);
      assert.equal(upstream.requests[0]?.status, refusal.status);
      assert.equal(upstream.requests[0]?.tokensServed, 0);
    });
  }

  test("Retry-After is sent in seconds or as given", async (t) => {
    const { client, upstream } = await withStubServer(t, { behaviour: { kind: "refuse", status: 429, retryAfter: 7 } });
    assert.equal((await refusedChat(client)).headers?.get("retry-after"), "7");
    upstream.setBehaviour({ kind: "refuse", status: 503, retryAfter: "Fri, 01 Jan 2027 00:00:00 GMT" });
    assert.equal((await refusedChat(client)).headers?.get("retry-after"), "Fri, 01 Jan 2027 00:00:00 GMT");
  });

  test("the message can be replaced", async (t) => {
    const behaviour = { kind: "refuse", status: 429, message: "your balance is fine" } as const;
    const { client } = await withStubServer(t, { behaviour });
    assert.match((await refusedChat(client)).message, /your balance is fine/);
  });

  test("a missing or wrong key is a 401, and the key is not repeated", async (t) => {
    const { client, upstream } = await withStubServer(t, { keys: ["sk-right"] });
    const wrong = await refusedChat(client.withOptions({ apiKey: "sk-wrong-secret-1234" }));
    assert.ok(wrong instanceof AuthenticationError);
    assert.equal(wrong.code, "invalid_api_key");
    assert.doesNotMatch(wrong.message, /secret/);
    const missing = await fetch(`${upstream.at("openai")}/v1/models`);
    assert.equal(missing.status, 401);
    const right = client.withOptions({ apiKey: "sk-right" });
    assert.equal((await right.models.retrieve("gpt-4o")).id, "gpt-4o");
  });
});
