import type { RefusalReason, RefusalStatus, RefuseBehaviour } from "./behaviour.ts";
import { openAiErrorBody } from "./openai-error.ts";
import type { OpenAiErrorBody } from "./openai-error.ts";

const reasonOfStatus: Record<RefusalStatus, RefusalReason> = {
  400: "invalid-prompt",
  401: "invalid-api-key",
  403: "unsupported-country",
  404: "model-not-found",
  429: "rate-limit-exceeded",
  500: "server-error",
  502: "bad-gateway",
  503: "service-unavailable",
  529: "overloaded",
};

/** What the wire shows of each reason, after OpenAI's error-code guide and bodies seen in public bug reports. */
const bodies: Record<RefusalReason, OpenAiErrorBody> = {
  "invalid-prompt": openAiErrorBody(
    "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt.",
    { code: "invalid_prompt" },
  ),
  "context-length-exceeded": openAiErrorBody(
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens. Please reduce the length of the messages.",
    { param: "messages", code: "context_length_exceeded" },
  ),
  "invalid-api-key": openAiErrorBody(
    "Incorrect API key provided: sk-fake****. You can find your API key at https://platform.openai.com/account/api-keys.",
    { code: "invalid_api_key" },
  ),
  "account-deactivated": openAiErrorBody(
    "The OpenAI account associated with this API key has been deactivated. Please check your email for more information.",
    { code: "account_deactivated" },
  ),
  "unsupported-country": openAiErrorBody("Country, region, or territory not supported", {
    type: "request_forbidden",
    code: "unsupported_country_region_territory",
  }),
  "model-not-found": openAiErrorBody("The model does not exist or you do not have access to it.", {
    param: "model",
    code: "model_not_found",
  }),
  "rate-limit-exceeded": openAiErrorBody(
    "Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.",
    { type: "requests", code: "rate_limit_exceeded" },
  ),
  "insufficient-quota": openAiErrorBody(
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.",
    { type: "insufficient_quota", code: "insufficient_quota" },
  ),
  "server-error": openAiErrorBody("The server had an error while processing your request. Sorry about that!", {
    type: "server_error",
  }),
  "bad-gateway": openAiErrorBody("Bad gateway.", { type: "cf_bad_gateway" }),
  "service-unavailable": openAiErrorBody("The engine is currently overloaded, please try again later", {
    type: "server_error",
  }),
  overloaded: openAiErrorBody("Overloaded", { type: "overloaded_error" }),
};

/** The error body of a refusing behaviour. */
export function refusalBody(behaviour: RefuseBehaviour): OpenAiErrorBody {
  const body = bodies[behaviour.reason ?? reasonOfStatus[behaviour.status]];
  return behaviour.message === undefined ? body : { error: { ...body.error, message: behaviour.message } };
}

/** The headers of a refusing behaviour: Retry-After, if any. */
export function refusalHeaders(behaviour: RefuseBehaviour): Record<string, string> {
  return behaviour.retryAfter === undefined ? {} : { "retry-after": String(behaviour.retryAfter) };
}
