import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FailureKind } from "../failure.ts";
import type { ProviderFormat } from "../format.ts";
import { hunyuanChat } from "../vendors/hunyuan/format.ts";
import { sparkChat } from "../vendors/spark/format.ts";
import { aiProxyLibrary } from "../vendors/ai-proxy-library/format.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import { baiduChat } from "../vendors/baidu/format.ts";
import { bedrockConverse } from "../vendors/aws/format.ts";
import { cloudflarePictures } from "../vendors/cloudflare/pictures.ts";
import { cohereChat } from "./cohere/cohere.ts";
import { cozeChat } from "../vendors/coze/format.ts";
import { dashScopeTurn } from "../vendors/qwen/picture-format.ts";
import { deepLTranslation } from "../vendors/deepl/format.ts";
import { geminiContent } from "./gemini/gemini.ts";
import { ollamaChat } from "../vendors/ollama/format.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";
import { openAiResponses } from "./openai-responses/openai-responses.ts";
import { replicatePrediction } from "../vendors/replicate/format.ts";
import { rerank } from "./rerank/rerank.ts";

const openai = openAiChat();
const anthropic = anthropicMessages("2023-06-01");
const bedrock = bedrockConverse("anthropic.claude-sonnet-4-6");

const formats: readonly ProviderFormat[] = [
  openai,
  openAiResponses,
  anthropic,
  geminiContent,
  cohereChat,
  bedrock,
  ollamaChat,
  baiduChat,
  sparkChat,
  hunyuanChat,
  cozeChat,
  dashScopeTurn,
  deepLTranslation,
  replicatePrediction,
  cloudflarePictures,
  aiProxyLibrary,
  rerank,
];

const read = (format: ProviderFormat, status: number, body: unknown) =>
  format.readError(status, {}, typeof body === "string" ? body : JSON.stringify(body));

const google = (status: string, reason: string, message: string) => ({
  error: { code: 400, status, message, details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason }] },
});
const invalidKey = google("INVALID_ARGUMENT", "API_KEY_INVALID", "API key not valid. Please pass a valid API key.");

/** Errors of the gateway's own account in their providers' words. None may become the caller's fault. */
const accounts: readonly (readonly [
  what: string,
  format: ProviderFormat,
  status: number,
  body: unknown,
  kind: FailureKind,
])[] = [
  ["Gemini's wrong key", geminiContent, 400, invalidKey, "bad-credential"],
  ["Gemini's wrong key at its API that is like OpenAI's", openai, 400, [invalidKey], "bad-credential"],
  [
    "Gemini's wrong key without details",
    openai,
    400,
    { error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } },
    "bad-credential",
  ],
  [
    "Gemini's expired key",
    openai,
    400,
    google("INVALID_ARGUMENT", "API_KEY_EXPIRED", "API key expired. Please renew the API key."),
    "bad-credential",
  ],
  [
    "Gemini's blocked service",
    openai,
    403,
    google("PERMISSION_DENIED", "API_KEY_SERVICE_BLOCKED", "Blocked."),
    "bad-credential",
  ],
  [
    "Google without billing",
    openai,
    403,
    google("PERMISSION_DENIED", "BILLING_DISABLED", "Enable billing."),
    "out-of-credit",
  ],
  [
    "Google without billing, as a failed precondition",
    geminiContent,
    400,
    google("FAILED_PRECONDITION", "BILLING_DISABLED", "Enable billing."),
    "out-of-credit",
  ],
  [
    "Google in a country without it",
    openai,
    400,
    { error: { code: 400, status: "FAILED_PRECONDITION", message: "User location is not supported for the API use." } },
    "bad-credential",
  ],
  [
    "Vertex with a wrong project",
    geminiContent,
    400,
    google("INVALID_ARGUMENT", "RESOURCE_PROJECT_INVALID", "Invalid resource field value in the request."),
    "bad-credential",
  ],
  [
    "Anthropic without credit",
    anthropic,
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "Your credit balance is too low to access the Anthropic API." },
    },
    "out-of-credit",
  ],
  [
    "Anthropic without credit behind a reseller",
    openai,
    400,
    {
      error: { type: "invalid_request_error", message: "Your credit balance is too low to access the Anthropic API." },
    },
    "out-of-credit",
  ],
  [
    "xAI's wrong key",
    openai,
    400,
    { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***ey." },
    "bad-credential",
  ],
  ["Cohere's wrong key", cohereChat, 401, { message: "invalid api token" }, "bad-credential"],
  [
    "Bedrock's wrong signature",
    bedrock,
    400,
    { __type: "InvalidSignatureException", message: "No." },
    "bad-credential",
  ],
  [
    "Bedrock's account without rights",
    bedrock,
    400,
    { __type: "ValidationException", message: "Operation not allowed" },
    "bad-credential",
  ],
  ["Baidu's ended token", baiduChat, 200, { error_code: 111, error_msg: "Access token expired" }, "bad-credential"],
  [
    "Baidu in arrears",
    baiduChat,
    200,
    { error_code: 17, error_msg: "Open api daily request limit reached" },
    "out-of-credit",
  ],
  [
    "Baidu's newer API",
    openai,
    401,
    { error: { code: "invalid_iam_token", message: "No.", type: "invalid_request_error" } },
    "bad-credential",
  ],
  [
    "Tencent's wrong signature",
    hunyuanChat,
    200,
    { Response: { Error: { Code: "AuthFailure.SignatureFailure", Message: "No." } } },
    "bad-credential",
  ],
  [
    "Alibaba's wrong key",
    dashScopeTurn,
    400,
    { code: "InvalidApiKey", message: "Invalid API-key provided." },
    "bad-credential",
  ],
  [
    "Alibaba in arrears",
    openai,
    400,
    { error: { code: "Arrearage", type: "Arrearage", message: "Access denied." } },
    "out-of-credit",
  ],
  [
    "MiniMax's wrong key",
    openai,
    200,
    { base_resp: { status_code: 2049, status_msg: "invalid api key" } },
    "bad-credential",
  ],
  ["Zhipu's wrong token", openai, 400, { error: { code: "1001", message: "No." } }, "bad-credential"],
  ["Zhipu's locked account", openai, 429, { error: { code: "1112", message: "No." } }, "bad-credential"],
  ["Zhipu's account without the API", openai, 434, { error: { code: "x", message: "No." } }, "bad-credential"],
  ["Coze's wrong token", cozeChat, 200, { code: 4101, msg: "The token is not correct" }, "bad-credential"],
  [
    "Spark's application without rights",
    sparkChat,
    200,
    { code: 11_200, message: "AppIdNoAuthError" },
    "out-of-credit",
  ],
  [
    "Cloudflare's malformed token",
    openai,
    400,
    { success: false, errors: [{ code: 6003, message: "Invalid request headers" }] },
    "bad-credential",
  ],
  [
    "Cloudflare's unknown account",
    openai,
    400,
    {
      success: false,
      errors: [
        { code: 7003, message: "Could not route to /accounts/x/ai, perhaps your object identifier is invalid?" },
      ],
    },
    "bad-credential",
  ],
  ["DeepL's used-up quota", deepLTranslation, 456, { message: "Quota exceeded" }, "out-of-credit"],
  ["Replicate's wrong token", replicatePrediction, 401, { title: "Unauthenticated", detail: "No." }, "bad-credential"],
];

describe("an error of the gateway's own account", () => {
  for (const [what, format, status, body, kind] of accounts) {
    it(`is never the caller's fault: ${what}`, () => assert.equal(read(format, status, body).kind, kind));
  }

  it("cannot be caused by text of a caller, which providers quote later in the message", () => {
    const quoted = "Invalid value: 'Incorrect API key provided'. Supported values are: 'system', 'user'.";
    const body = { error: { message: quoted, type: "invalid_request_error", param: "messages[0].role", code: null } };
    assert.equal(read(openai, 400, body).kind, "bad-request");
  });
});

const OVERFLOW = "This model's maximum context length is 40960 tokens. However, you requested 50000.";

/** Refused requests with a good status, by format. */
const inGoodStatus: readonly (readonly [what: string, format: ProviderFormat, body: unknown])[] = [
  ["a status as a code", openai, { error: { message: OVERFLOW, type: "BadRequestError", code: 400 } }],
  ["a code", openai, { error: { message: OVERFLOW, type: "invalid_request_error", code: "context_length_exceeded" } }],
  ["a type alone", openai, { error: { message: OVERFLOW, type: "invalid_request_error", code: null } }],
  ["words alone", openai, { error: OVERFLOW }],
  [
    "vLLM's older shape",
    openai,
    { object: "error", message: OVERFLOW, type: "BadRequestError", param: null, code: 400 },
  ],
  [
    "a failed response",
    openAiResponses,
    { id: "r", status: "failed", output: [], error: { code: "context_length_exceeded", message: OVERFLOW } },
  ],
  ["Anthropic's type", anthropic, { type: "error", error: { type: "invalid_request_error", message: OVERFLOW } }],
  ["Google's status", geminiContent, { error: { code: 400, status: "INVALID_ARGUMENT", message: OVERFLOW } }],
  ["Cohere's message", cohereChat, { message: OVERFLOW }],
  ["Bedrock's exception", bedrock, { __type: "ValidationException", message: OVERFLOW }],
  ["Ollama's text", ollamaChat, { error: OVERFLOW }],
  ["Baidu's code", baiduChat, { error_code: 336_103, error_msg: OVERFLOW }],
  ["MiniMax's code", openai, { base_resp: { status_code: 2013, status_msg: OVERFLOW } }],
  ["Zhipu's code", openai, { error: { code: "1261", message: OVERFLOW } }],
  ["Spark's code", sparkChat, { code: 10_907, message: OVERFLOW }],
  ["Tencent's code", hunyuanChat, { Response: { Error: { Code: "InvalidParameterValue", Message: OVERFLOW } } }],
  ["Coze's code", cozeChat, { code: 4000, msg: OVERFLOW }],
  ["Alibaba's code", dashScopeTurn, { code: "InvalidParameter", message: OVERFLOW }],
  [
    "Cloudflare's list",
    cloudflarePictures,
    { success: false, errors: [{ code: 5021, message: OVERFLOW }], result: null },
  ],
];

describe("a refused request with a good status", () => {
  for (const [what, format, body] of inGoodStatus) {
    it(`retains its kind and message: ${what}`, () => {
      assert.equal(format.carriesError(body), true);
      const { kind, status, message } = read(format, 200, body);
      assert.deepEqual([kind, status, message], ["bad-request", 400, OVERFLOW]);
    });
  }

  const others: readonly (readonly [name: string, kind: FailureKind])[] = [
    ["rate_limit_exceeded", "rate-limited"],
    ["RateLimitError", "rate-limited"],
    ["invalid_api_key", "bad-credential"],
    ["AuthenticationError", "bad-credential"],
    ["insufficient_quota", "out-of-credit"],
    ["overloaded_error", "overloaded"],
    ["server_is_overloaded", "overloaded"],
    ["NotFoundError", "unknown-model"],
    ["content_filter", "bad-request"],
    ["InternalServerError", "server-error"],
  ];
  for (const [name, kind] of others) {
    it(`${name} is ${kind}, as a code and as a type`, () => {
      assert.equal(read(openai, 200, { error: { message: "m", code: name } }).kind, kind);
      assert.equal(read(openai, 200, { error: { message: "m", type: name } }).kind, kind);
    });
  }
});

describe("status 413", () => {
  const limit = {
    error: { message: "Request too large on tokens per minute (TPM)", type: "tokens", code: "rate_limit_exceeded" },
  };
  const bodies = {
    "the code of a limit": limit,
    "a page": "<html><title>413 Request Entity Too Large</title></html>",
    "an empty body": "",
    "Anthropic's type": { type: "error", error: { type: "rate_limit_error", message: "m" } },
    "Google's status": { error: { code: 413, status: "RESOURCE_EXHAUSTED", message: "m" } },
  };
  for (const format of formats) {
    it(`is a fault of the request in ${format.name}, whatever the body says`, () => {
      for (const [what, body] of Object.entries(bodies)) {
        const { kind, status } = read(format, 413, body);
        assert.deepEqual([kind, status], ["bad-request", 413], what);
      }
    });
  }

  it("is recognized in a good status too", () => {
    const { kind, status } = read(openai, 200, { error: { ...limit.error, code: 413 } });
    assert.deepEqual([kind, status], ["bad-request", 413]);
  });
});
