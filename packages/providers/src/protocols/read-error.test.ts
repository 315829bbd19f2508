import assert from "node:assert/strict";
import { test } from "node:test";
import type { FailureKind } from "../failure.ts";
import { carriesError, readError } from "./read-error.ts";

const now = new Date("2026-11-21T10:00:00Z");

function read(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return readError(status, headers, typeof body === "string" ? body : JSON.stringify(body), now);
}

const openAi = (code: string | null, type = "invalid_request_error", message = "Refused.") => ({
  error: { message, type, param: null, code },
});

const kinds: readonly (readonly [what: string, status: number, body: unknown, kind: FailureKind])[] = [
  ["a wrong key", 401, openAi("invalid_api_key"), "bad-credential"],
  ["an unknown 401", 401, { detail: "Unauthorized" }, "bad-credential"],
  ["a bare 403", 403, openAi(null), "bad-credential"],
  ["a deactivated account", 400, openAi("account_deactivated"), "bad-credential"],
  ["used-up quota", 429, openAi("insufficient_quota", "insufficient_quota"), "out-of-credit"],
  [
    "DeepSeek without money",
    402,
    openAi("invalid_request_error", "unknown_error", "Insufficient Balance"),
    "out-of-credit",
  ],
  ["Moonshot without money", 429, { error: { message: "m", type: "exceeded_current_quota_error" } }, "out-of-credit"],
  ["Zhipu in arrears", 429, { error: { code: "1113", message: "m" } }, "out-of-credit"],
  ["SiliconFlow without money", 403, { code: 30_001, message: "m", data: null }, "out-of-credit"],
  ["Novita without money", 403, { code: 403, reason: "NOT_ENOUGH_BALANCE", message: "m" }, "out-of-credit"],
  ["Ark without money", 403, { error: { code: "AccountOverdueError", message: "m" } }, "out-of-credit"],
  ["a rate limit", 429, openAi("rate_limit_exceeded", "tokens"), "rate-limited"],
  ["a rate limit without a body", 429, "", "rate-limited"],
  ["a rate limit from a proxy", 429, "<html>Too many</html>", "rate-limited"],
  ["Moonshot's overload", 429, { error: { message: "m", type: "engine_overloaded_error" } }, "overloaded"],
  ["an overload", 503, openAi(null, "server_error"), "overloaded"],
  ["529", 529, "", "overloaded"],
  ["an unknown model", 404, openAi("model_not_found"), "unknown-model"],
  ["Azure's missing deployment", 404, { error: { code: "DeploymentNotFound", message: "m" } }, "unknown-model"],
  ["a 404 of a wrong address", 404, "404 page not found", "bad-answer"],
  ["a firewall's page", 403, "<!DOCTYPE html><html>Blocked</html>", "bad-answer"],
  ["a bad request", 400, openAi(null), "bad-request"],
  ["a validation error", 422, { detail: [{ loc: ["body", "n"], msg: "too big" }] }, "bad-request"],
  ["a long prompt", 400, openAi("context_length_exceeded"), "bad-request"],
  ["Azure's content filter", 400, openAi("content_filter"), "bad-request"],
  ["a body that is too large", 413, openAi(null), "bad-request"],
  [
    "OpenRouter's moderation",
    403,
    { error: { code: 403, message: "m", metadata: { reasons: ["violence"], flagged_input: "x" } } },
    "bad-request",
  ],
  ["a 500", 500, openAi(null, "server_error"), "server-error"],
  ["a gateway's page", 502, "<html>Bad gateway</html>", "server-error"],
  ["a gateway's timeout", 504, "", "timeout"],
  ["Cloudflare's timeout", 524, "<html></html>", "timeout"],
  ["a redirect", 302, "", "bad-answer"],
  ["a page with status 200", 200, "<html>Welcome</html>", "bad-answer"],
  ["nothing with status 200", 200, "", "bad-answer"],
  ["an error inside 200", 200, { error: { code: 429, message: "Slow down" } }, "rate-limited"],
  ["MiniMax's wrong key inside 200", 200, { base_resp: { status_code: 1004, status_msg: "m" } }, "bad-credential"],
  ["MiniMax's empty account inside 200", 200, { base_resp: { status_code: 1008, status_msg: "m" } }, "out-of-credit"],
  ["MiniMax's rate limit inside 200", 200, { base_resp: { status_code: 1002, status_msg: "m" } }, "rate-limited"],
  ["a code that every object has", 500, openAi("constructor", "__proto__"), "server-error"],
  [
    "words alone never decide",
    400,
    openAi(null, "invalid_request_error", "credit balance, api key not valid, rate limit"),
    "bad-request",
  ],
];

for (const [what, status, body, kind] of kinds) {
  test(`${what} is ${kind}`, () => {
    assert.equal(read(status, body).kind, kind);
  });
}

const messages: readonly (readonly [body: unknown, message: string])[] = [
  [openAi(null), "Refused."],
  [{ error: "Model is loading" }, "Model is loading"],
  [{ message: "m" }, "m"],
  [{ msg: "m" }, "m"],
  [{ err: "m" }, "m"],
  [{ error_msg: "m" }, "m"],
  [{ header: { code: 10_163, message: "m" } }, "m"],
  [{ response: { error: { message: "m" } } }, "m"],
  [{ detail: "m" }, "m"],
  [{ detail: [{ loc: ["body", "n"], msg: "too big" }] }, "body.n: too big"],
  [
    {
      object: "error",
      message: { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] },
    },
    "body.stream_options: Extra inputs are not permitted",
  ],
  [[{ error: { code: 429, message: "m", status: "RESOURCE_EXHAUSTED" } }], "m"],
  [{ error: { message: '{"error":{"message":"the inner one"}}' } }, "the inner one"],
  [{ error: {} }, "The provider answered with status 418 and no message."],
  ["", "The provider answered with status 418 and an empty body."],
  ["<html>", "The provider answered with status 418 and a web page instead of JSON."],
  ["teapot", "The provider answered with status 418 and a text instead of JSON."],
];

for (const [body, message] of messages) {
  test(`the message of ${JSON.stringify(body)}`, () => {
    assert.equal(read(418, body).message, message);
  });
}

test("code, type and param are retained", () => {
  const failure = read(400, {
    error: { message: "m", type: "invalid_request_error", param: "messages[0].role", code: "bad_role" },
  });
  assert.deepEqual(
    [failure.code, failure.type, failure.param, failure.status],
    ["bad_role", "invalid_request_error", "messages[0].role", 400],
  );
});

const limited = (message: string) => openAi("rate_limit_exceeded", "tokens", message);
const waits: readonly (readonly [
  what: string,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  waitMs: number | null,
])[] = [
  ["seconds", 429, "", { "retry-after": "7" }, 7_000],
  ["milliseconds before seconds", 429, "", { "retry-after-ms": "1500", "retry-after": "2" }, 1_500],
  ["a date", 429, "", { "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, 30_000],
  [
    "a date against the upstream's clock",
    429,
    "",
    { "retry-after": "Sat, 21 Nov 2026 11:00:30 GMT", date: "Sat, 21 Nov 2026 11:00:00 GMT" },
    30_000,
  ],
  ["a date that has passed", 429, "", { "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, 0],
  ["a wait beyond belief", 429, "", { "retry-after": "99999999" }, 86_400_000],
  ["nonsense", 429, "", { "retry-after": "soon" }, null],
  ["a 503 with Retry-After", 503, "", { "retry-after": "5" }, 5_000],
  ["a hint in the text", 429, limited("Rate limit reached. Please try again in 1.2s. Visit us."), {}, 1_200],
  ["a hint in milliseconds", 429, limited("Please try again in 20ms."), {}, 20],
  ["a hint in minutes", 429, limited("Please try again in 6m0.5s."), {}, 360_500],
  ["a hint in words", 429, limited("Please retry after 17 seconds."), {}, 17_000],
  ["a hint in minutes by words", 429, limited("Please try again in 2 minutes."), {}, 120_000],
  ["a field beside the message", 429, { detail: "Request was throttled.", retry_after: 6 }, {}, 6_000],
  ["a field of the error", 429, { error: { message: "m", resets_in_seconds: 90 } }, {}, 90_000],
  ["a field that is a duration", 429, { error: { message: "m", retry_after: "1m30s" } }, {}, 90_000],
  ["a field that is no wait", 429, { error: { message: "m", retry_after: "soon" } }, {}, null],
  ["a standard header", 429, limited("m"), { "ratelimit-remaining": "0", "ratelimit-reset": "11" }, 11_000],
  ["a standard header as a list", 429, limited("m"), { ratelimit: '"default";r=0;t=9' }, 9_000],
  ["a time of day", 429, limited("m"), { "x-ratelimit-reset-tokens": "2026-11-21T10:00:05Z" }, 5_000],
  ["a time of day that has passed", 429, limited("m"), { "x-ratelimit-reset-tokens": "2026-11-21T09:00:05Z" }, 0],
  [
    "no hint from a text of another status",
    400,
    openAi(null, "invalid_request_error", "Please try again in 1.2s."),
    {},
    null,
  ],
  [
    "the limit that is used up",
    429,
    limited("m"),
    {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "8.64s",
      "x-ratelimit-remaining-tokens": "100",
      "x-ratelimit-reset-tokens": "1s",
    },
    8_640,
  ],
  [
    "the nearest reset",
    429,
    limited("m"),
    { "x-ratelimit-reset-requests": "6m0s", "x-ratelimit-reset-tokens": "20ms" },
    20,
  ],
  ["no reset without a limit", 500, openAi(null), { "x-ratelimit-reset-requests": "6m0s" }, null],
  [
    "OpenRouter's point in time",
    429,
    {
      error: { code: 429, message: "m", metadata: { headers: { "X-RateLimit-Reset": String(now.getTime() + 4_000) } } },
    },
    {},
    4_000,
  ],
  [
    "Google's retry info",
    429,
    [{ error: { code: 429, message: "m", details: [{ "@type": "RetryInfo", retryDelay: "34s" }] } }],
    {},
    34_000,
  ],
  ["out of credit", 429, openAi("insufficient_quota"), {}, null],
];

for (const [what, status, body, headers, waitMs] of waits) {
  test(`[CHSTATE-13] wait: ${what}`, () => {
    assert.equal(read(status, body, headers).retryAfterMs, waitMs);
  });
}

test("no field of a failure contains the key that the provider repeats", () => {
  const secret = "sk-proj-abcdefghijklmnop1234567890";
  const failure = read(401, {
    error: { message: `Incorrect API key provided: ${secret}.`, type: secret, code: secret, param: secret },
  });
  assert.ok(!JSON.stringify(failure).includes("abcdefghijklmnop"));
});

test("a request error of MiniMax is the request's fault, despite the good status", () => {
  const told = (code: number) =>
    readError(200, {}, JSON.stringify({ base_resp: { status_code: code, status_msg: "m" } }));
  assert.deepEqual([told(1026).kind, told(1026).status], ["bad-request", 400]);
  assert.deepEqual([told(1002).kind, told(1002).status], ["rate-limited", 200]);
});

test("a good answer has no error, an error inside one is detected", () => {
  assert.equal(carriesError({ choices: [], error: null }), false);
  assert.equal(carriesError({ choices: [], base_resp: { status_code: 0, status_msg: "success" } }), false);
  assert.equal(carriesError({ error: { message: "m" } }), true);
  assert.equal(carriesError({ base_resp: { status_code: 2013 } }), true);
});
