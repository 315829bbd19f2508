import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHANNEL_TYPES, type ChannelTypeName } from "@one-api/contract/channels/channel-types";
import type { FailureKind } from "@one-api/providers/failure";
import type { Endpoint } from "@one-api/providers/provider";
import { providerOf } from "@one-api/providers/registry";
import { createTestClock } from "../../../testing/test-clock.ts";
import { createChannelHealth } from "../channel-health.ts";

const NOW = new Date("2026-11-22T10:00:00Z");

/** A refusal as the vendor documents it, and what it must be. */
interface Refusal {
  readonly what: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly kind: FailureKind;
  /** Until when the vendor asks to wait, in ms; null where it does not say. */
  readonly waitMs?: number | null;
  /** The whole account is limited, not one model. */
  readonly ofAccount?: true;
}

const error = (code: string | number | null, type: string, message = "m") => ({ error: { code, type, message } });
const inSeconds = (seconds: string) => ({ "retry-after": seconds });

/** Of everybody who speaks OpenAI's format and documents nothing else. Source: https://platform.openai.com/docs/guides/error-codes */
const OPENAI: readonly Refusal[] = [
  {
    what: "requests a minute, by the headers",
    status: 429,
    headers: { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "8.64s" },
    body: error("rate_limit_exceeded", "requests"),
    kind: "rate-limited",
    waitMs: 8_640,
  },
  {
    what: "tokens a minute, in words",
    status: 429,
    body: error(
      "rate_limit_exceeded",
      "tokens",
      "Rate limit reached for gpt-5. Please try again in 1m26.4s. PassthroughRequest us.",
    ),
    kind: "rate-limited",
    waitMs: 86_400,
  },
  {
    what: "a request beyond the limit",
    status: 429,
    body: error("rate_limit_exceeded", "tokens", "Request too large for gpt-5"),
    kind: "over-limit",
  },
  { what: "no money", status: 429, body: error("insufficient_quota", "insufficient_quota"), kind: "out-of-credit" },
  {
    what: "an overload",
    status: 503,
    headers: inSeconds("3"),
    body: error(null, "server_error"),
    kind: "overloaded",
    waitMs: 3_000,
  },
];

/** Of everybody else. */
const ANYBODY: readonly Refusal[] = [
  {
    what: "a limit",
    status: 429,
    headers: inSeconds("4"),
    body: { message: "m" },
    kind: "rate-limited",
    waitMs: 4_000,
  },
];

/** What vendors document beside that. */
const OWN: Readonly<Partial<Record<ChannelTypeName, readonly Refusal[]>>> = {
  // https://learn.microsoft.com/azure/ai-services/openai/how-to/quota
  azure: [
    {
      what: "calls a minute",
      status: 429,
      headers: { "retry-after-ms": "1400", "retry-after": "2" },
      body: error("429", "", "Please retry after 2 seconds."),
      kind: "rate-limited",
      waitMs: 1_400,
    },
    {
      what: "the same in words",
      status: 429,
      body: error("429", "", "Please retry after 17 seconds."),
      kind: "rate-limited",
      waitMs: 17_000,
    },
  ],
  // https://docs.anthropic.com/en/api/rate-limits
  anthropic: [
    {
      what: "a limit",
      status: 429,
      headers: inSeconds("12"),
      body: { type: "error", error: { type: "rate_limit_error", message: "m" } },
      kind: "rate-limited",
      waitMs: 12_000,
    },
    {
      what: "a limit, by the headers",
      status: 429,
      headers: {
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "2026-11-22T10:00:01Z",
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-reset": "2026-11-22T10:00:42Z",
      },
      body: { type: "error", error: { type: "rate_limit_error", message: "m" } },
      kind: "rate-limited",
      waitMs: 42_000,
    },
    {
      what: "an overload",
      status: 529,
      body: { type: "error", error: { type: "overloaded_error", message: "m" } },
      kind: "overloaded",
    },
    {
      what: "a spent limit",
      status: 429,
      body: {
        type: "error",
        error: { type: "rate_limit_error", message: "m", details: { error_code: "enforced_spend_limit_reached" } },
      },
      kind: "out-of-credit",
    },
  ],
  // https://docs.bigmodel.cn/cn/api/api-code
  zhipu: [
    { what: "1302, calls at once", status: 429, body: error("1302", ""), kind: "rate-limited" },
    { what: "1305, an overload", status: 429, body: error("1305", ""), kind: "overloaded" },
    { what: "1312, a model that is overloaded", status: 429, body: error("1312", ""), kind: "overloaded" },
    {
      what: "1308, a plan's limit, with the time in Beijing",
      status: 429,
      body: error("1308", "", "Usage limit reached for 5 hour. Your limit will reset at 2026-11-22 18:30:00"),
      kind: "rate-limited",
      waitMs: 1_800_000,
      ofAccount: true,
    },
    {
      what: "1310, in Chinese",
      status: 429,
      body: error("1310", "", "您已达到每周/每月使用上限,您的限额将在 2026-11-22 19:00:00 重置"),
      kind: "rate-limited",
      waitMs: 3_600_000,
      ofAccount: true,
    },
    { what: "1313, fair use", status: 429, body: error("1313", ""), kind: "rate-limited", ofAccount: true },
    { what: "1309, a plan that is over", status: 429, body: error("1309", ""), kind: "out-of-credit" },
    { what: "1113, no money", status: 429, body: error("1113", ""), kind: "out-of-credit" },
    { what: "1112, a locked account", status: 429, body: error("1112", ""), kind: "bad-credential" },
  ],
  // https://openrouter.ai/docs/api/reference/limits
  openrouter: [
    {
      what: "free calls a day",
      status: 429,
      body: {
        error: {
          code: 429,
          message: "m",
          metadata: { headers: { "X-RateLimit-Reset": String(NOW.getTime() + 90_000) } },
        },
      },
      kind: "rate-limited",
      waitMs: 90_000,
    },
    {
      what: "a provider's limit",
      status: 429,
      body: { error: { code: 429, message: "m", metadata: { retry_after_seconds: 7 } } },
      kind: "rate-limited",
      waitMs: 7_000,
    },
    { what: "no credits", status: 402, body: { error: { code: 402, message: "m" } }, kind: "out-of-credit" },
  ],
  // https://ai.google.dev/gemini-api/docs/troubleshooting
  gemini: [
    {
      what: "a limit",
      status: 429,
      body: {
        error: {
          code: 429,
          status: "RESOURCE_EXHAUSTED",
          message: "m",
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }],
        },
      },
      kind: "rate-limited",
      waitMs: 34_070,
    },
    {
      what: "an overload",
      status: 503,
      body: { error: { code: 503, status: "UNAVAILABLE", message: "m" } },
      kind: "overloaded",
    },
  ],
  // https://platform.moonshot.cn/docs/introduction
  moonshot: [
    {
      what: "a limit, which all models share",
      status: 429,
      body: {
        error: {
          type: "rate_limit_reached_error",
          message: "Your account reached max request limit, please try again after 1 seconds",
        },
      },
      kind: "rate-limited",
      waitMs: 1_000,
      ofAccount: true,
    },
    {
      what: "the same by its header",
      status: 429,
      headers: { "x-ratelimit-reset": "20" },
      body: { error: { type: "rate_limit_reached_error", message: "m" } },
      kind: "rate-limited",
      waitMs: 20_000,
      ofAccount: true,
    },
    {
      what: "an overload",
      status: 429,
      body: { error: { type: "engine_overloaded_error", message: "m" } },
      kind: "overloaded",
    },
    {
      what: "no money",
      status: 429,
      body: { error: { type: "exceeded_current_quota_error", message: "m" } },
      kind: "out-of-credit",
    },
  ],
  // https://platform.minimax.io/docs/api-reference/errorcode
  minimax: [
    {
      what: "1002 inside 200",
      status: 200,
      body: { base_resp: { status_code: 1002, status_msg: "m" } },
      kind: "rate-limited",
    },
    {
      what: "2056, a plan's limit",
      status: 200,
      body: { base_resp: { status_code: 2056, status_msg: "m" } },
      kind: "rate-limited",
      ofAccount: true,
    },
    {
      what: "1008, no money",
      status: 200,
      body: { base_resp: { status_code: 1008, status_msg: "m" } },
      kind: "out-of-credit",
    },
  ],
  // https://docs.mistral.ai/resources/error-glossary
  mistral: [
    {
      what: "a limit",
      status: 429,
      headers: inSeconds("1"),
      body: { object: "error", message: "Rate limit exceeded", type: "rate_limited", code: "1300" },
      kind: "rate-limited",
      waitMs: 1_000,
    },
    {
      what: "no capacity in the tier",
      status: 429,
      body: {
        object: "error",
        message: "Service tier capacity exceeded for this model.",
        type: "service_tier_capacity_exceeded",
        code: "3505",
      },
      kind: "overloaded",
    },
  ],
  // https://console.groq.com/docs/errors and …/flex-processing
  groq: [
    {
      what: "a limit",
      status: 429,
      headers: inSeconds("2"),
      body: error("rate_limit_exceeded", "tokens", "Please try again in 7m12.48s."),
      kind: "rate-limited",
      waitMs: 2_000,
    },
    {
      what: "no flexible capacity",
      status: 498,
      body: error("capacity_exceeded", "service_unavailable"),
      kind: "overloaded",
    },
  ],
  // https://www.volcengine.com/docs/82379/1299023
  doubao: [
    {
      what: "the account's limit",
      status: 429,
      body: error("AccountRateLimitExceeded", "TooManyRequests"),
      kind: "rate-limited",
      ofAccount: true,
    },
    {
      what: "a model's limit",
      status: 429,
      body: error("ModelAccountRpmRateLimitExceeded", "TooManyRequests"),
      kind: "rate-limited",
    },
    { what: "an overload", status: 429, body: error("ServerOverloaded", "TooManyRequests"), kind: "overloaded" },
    { what: "no money", status: 403, body: error("AccountOverdueError", "Forbidden"), kind: "out-of-credit" },
  ],
  // https://docs.cohere.com/reference/errors
  cohere: [
    {
      what: "calls a minute",
      status: 429,
      body: { message: "You are using a Trial key, which is limited to 20 API calls / minute." },
      kind: "rate-limited",
    },
    {
      what: "calls a month",
      status: 429,
      body: { message: "You are using a Trial key, which is limited to 1000 API calls / month." },
      kind: "out-of-credit",
    },
  ],
  // https://developers.deepl.com/docs/best-practices/error-handling
  deepl: [
    { what: "a limit", status: 429, body: { message: "Too many requests" }, kind: "rate-limited" },
    { what: "no characters left", status: 456, body: { message: "Quota Exceeded" }, kind: "out-of-credit" },
  ],
  // https://www.coze.com/docs/developer_guides/coze_error_codes
  coze: [
    { what: "4013 inside 200", status: 200, body: { code: 4013, msg: "m" }, kind: "rate-limited" },
    { what: "4028, no money", status: 200, body: { code: 4028, msg: "m" }, kind: "out-of-credit" },
  ],
  // https://docs.together.ai/docs/error-codes
  together: [
    { what: "a spent limit", status: 402, body: error(null, "credit_limit"), kind: "out-of-credit" },
    {
      what: "a limit, by a standard header",
      status: 429,
      headers: { ratelimit: "limit=20, remaining=0, reset=7" },
      body: error(null, "rate_limit"),
      kind: "rate-limited",
      waitMs: 7_000,
    },
    { what: "an overload", status: 503, body: error(null, "service_unavailable"), kind: "overloaded" },
  ],
  // https://docs.siliconflow.cn/cn/faqs/error-code
  siliconflow: [
    { what: "no money", status: 403, body: { code: 30_001, message: "m", data: null }, kind: "out-of-credit" },
  ],
  // https://novita.ai/docs/guides/llm-error-code
  novita: [
    {
      what: "no money",
      status: 403,
      body: { code: 403, reason: "NOT_ENOUGH_BALANCE", message: "m" },
      kind: "out-of-credit",
    },
  ],
  // https://api-docs.deepseek.com/quick_start/error_codes
  deepseek: [
    {
      what: "no money",
      status: 402,
      body: error("invalid_request_error", "unknown_error", "Insufficient Balance"),
      kind: "out-of-credit",
    },
    { what: "an overload", status: 503, body: error(null, "server_error"), kind: "overloaded" },
  ],
};

const ENDPOINTS: readonly Endpoint[] = ["chat-completions", "embeddings"];

describe("what vendors refuse for a limit, an overload or a lack of money", () => {
  for (const { type, name, label } of CHANNEL_TYPES) {
    const provider = providerOf(type);
    const model = provider?.models[0] ?? "m";
    const service = ENDPOINTS.map((endpoint) => provider?.serve(endpoint, model)).find(
      (served) => served !== undefined,
    );
    if (service === undefined) continue;
    const rows = OWN[name] ?? (service.format.name.startsWith("openai") ? OPENAI : ANYBODY);
    it(`${label}: ${rows === OPENAI ? "as OpenAI" : rows.map(({ what }) => what).join("; ")}`, () => {
      for (const { what, status, headers = {}, body, kind, waitMs = null, ofAccount } of rows) {
        const failure = service.format.readError(status, headers, JSON.stringify(body), NOW);
        assert.deepEqual([failure.kind, failure.retryAfterMs], [kind, waitMs], what);
        const clock = createTestClock();
        const health = createChannelHealth(clock);
        const { action } = health.recordFailure(1, "asked", failure);
        assert.equal(action === "sleep", ofAccount === true, what);
        const rest = health.cooldownOf(1, "asked");
        if (kind === "rate-limited") assert.equal(rest?.untilMs, clock.nowMs() + (waitMs ?? 60_000), what);
        assert.equal(
          health.cooldownOf(1, "other") !== undefined,
          ofAccount === true || kind === "out-of-credit" || kind === "bad-credential",
          what,
        );
      }
    });
  }
});
