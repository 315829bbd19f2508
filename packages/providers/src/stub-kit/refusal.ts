import type { RefusalReason, RefusalStatus, RefuseBehaviour } from "./behaviour.ts";

/** An error body as OpenAI sends it: `{ "error": { message, type, param, code } }`. */
export interface OpenAiErrorBody {
  error: { message: string; type: string; param: string | null; code: string | null };
}

/** The body for a message; the type defaults to `invalid_request_error`, param and code to null. */
export function openAiErrorBody(
  message: string,
  details: { type?: string; param?: string; code?: string } = {},
): OpenAiErrorBody {
  const { type = "invalid_request_error", param = null, code = null } = details;
  return { error: { message, type, param, code } };
}

export type WriteErrorBody = (status: number, body: OpenAiErrorBody) => object;

export class RequestRefused extends Error {
  override name = "RequestRefused";
  readonly status: number;
  readonly body: OpenAiErrorBody;

  constructor(status: number, body: OpenAiErrorBody) {
    super(body.error.message);
    this.status = status;
    this.body = body;
  }
}

/** Throws RequestRefused, by default with status 400. */
export function refuse(
  message: string,
  { status = 400, ...details }: { status?: number; type?: string; param?: string; code?: string } = {},
): never {
  throw new RequestRefused(status, openAiErrorBody(message, details));
}

export function errorsByStatus<Code>(
  codes: Readonly<Record<number, Code>>,
  other: Code,
  write: (code: Code, message: string) => object,
): WriteErrorBody {
  return (status, { error }) => write(codes[status] ?? other, error.message);
}

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

/** Error body of each reason, after OpenAI's error-code guide and bodies in public bug reports. */
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

export function refusalBody(behaviour: RefuseBehaviour): OpenAiErrorBody {
  const body = bodies[behaviour.reason ?? reasonOfStatus[behaviour.status]];
  return behaviour.message === undefined ? body : { error: { ...body.error, message: behaviour.message } };
}

export function refusalHeaders(behaviour: RefuseBehaviour): Record<string, string> {
  return behaviour.retryAfter === undefined ? {} : { "retry-after": String(behaviour.retryAfter) };
}

export function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

/** Throws RequestRefused (401) unless the key is one of the keys; null accepts any key. */
export function checkKey(key: string | undefined, keys: readonly string[] | null): void {
  if (key === undefined) {
    refuse(
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      { status: 401 },
    );
  }
  if (keys === null || keys.includes(key)) return;
  const shown = `${key.slice(0, 3)}****${key.slice(-4)}`;
  refuse(
    `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    { status: 401, code: "invalid_api_key" },
  );
}

export const midStreamError = openAiErrorBody(
  "The server had an error while processing your request. Sorry about that!",
  { type: "server_error" },
);
