import type { FailureKind } from "../failure.ts";
import type { JsonRecord } from "../shared/json-fields.ts";

/** What an error answer says, as it says it. Empty where it does not. */
export interface ErrorFields {
  readonly message: string;
  readonly code: string;
  readonly type: string;
  readonly param: string | null;
  /** The fields beside the message, and what some providers put into one of its own. */
  readonly metadata: JsonRecord;
  /** The code comes from MiniMax's `base_resp`, whose numbers mean something of their own. */
  readonly isBaseResponse: boolean;
}

/**
 * Error codes and types that say more than the status, lower-case. Sources: the error pages of OpenAI, Azure, Moonshot, Zhipu,
 * Volcengine Ark, SiliconFlow, Novita, DashScope, Mistral and Groq.
 */
const kindsByCode: Readonly<Record<string, FailureKind>> = {
  invalid_api_key: "bad-credential",
  incorrect_api_key_error: "bad-credential",
  account_deactivated: "bad-credential",
  authentication_error: "bad-credential",
  authenticationerror: "bad-credential",
  invalid_authentication_error: "bad-credential",
  permission_error: "bad-credential",
  permission_denied_error: "bad-credential",
  forbidden: "bad-credential",
  unsupported_country_region_territory: "bad-credential",
  "1112": "bad-credential",
  "1121": "bad-credential",

  insufficient_quota: "out-of-credit",
  billing_hard_limit_reached: "out-of-credit",
  billing_not_active: "out-of-credit",
  insufficient_balance: "out-of-credit",
  insufficient_user_quota: "out-of-credit",
  exceeded_current_quota_error: "out-of-credit",
  not_enough_balance: "out-of-credit",
  accountoverdueerror: "out-of-credit",
  arrearage: "out-of-credit",
  "1113": "out-of-credit",
  "1309": "out-of-credit",
  "30001": "out-of-credit",

  model_not_found: "unknown-model",
  deploymentnotfound: "unknown-model",
  "invalidendpointormodel.notfound": "unknown-model",
  modelnotopen: "unknown-model",
  resource_not_found_error: "unknown-model",
  "1211": "unknown-model",
  "1311": "unknown-model",
  "20012": "unknown-model",

  rate_limit_exceeded: "rate-limited",
  rate_limit_error: "rate-limited",
  rate_limit_reached_error: "rate-limited",

  engine_overloaded_error: "overloaded",
  overloaded_error: "overloaded",
  serveroverloaded: "overloaded",
  service_tier_capacity_exceeded: "overloaded",
  capacity_exceeded: "overloaded",
  "1305": "overloaded",
  "1312": "overloaded",

  context_length_exceeded: "bad-request",
  content_filter: "bad-request",
  content_policy_violation: "bad-request",
  "1301": "bad-request",
};

/** Codes of MiniMax's `base_resp`. Source: https://platform.minimax.io/docs/api-reference/errorcode */
const kindsByBaseResponse: Readonly<Record<string, FailureKind>> = {
  "1000": "server-error",
  "1001": "timeout",
  "1002": "rate-limited",
  "1004": "bad-credential",
  "1008": "out-of-credit",
  "1013": "server-error",
  "1024": "server-error",
  "1026": "bad-request",
  "1027": "bad-request",
  "1033": "server-error",
  "1039": "rate-limited",
  "1041": "rate-limited",
  "2013": "bad-request",
  "2049": "bad-credential",
  "2056": "rate-limited",
};

// Upstreams choose the codes: a map, unlike an object, has nothing under `constructor`.
const kindOfCode = new Map(Object.entries(kindsByCode));
const kindOfBaseResponse = new Map(Object.entries(kindsByBaseResponse));

/** The kind that a status alone means. An answer with a good status that is no result is a bad answer. */
const kindOfStatus: Readonly<Record<number, FailureKind>> = {
  401: "bad-credential",
  402: "out-of-credit",
  403: "bad-credential",
  404: "unknown-model",
  408: "timeout",
  429: "rate-limited",
  503: "overloaded",
  504: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** Statuses that mean the same whoever answers them, a proxy on the way included. */
const statusesOfAnybody: ReadonlySet<number> = new Set([401, 402, 408, 429]);

/**
 * Which kind of failure an answer is, by its codes first and by its status else; the words of a message decide nothing but whether a
 * limit is used up or too small. A body
 * that is no JSON, so a web page or a proxy's text, says nothing about model or request: most of its 4xx are bad answers.
 */
export function failureKind(status: number, error: ErrorFields | "empty" | "no-json"): FailureKind {
  if (error === "empty") {
    return kindByStatus(status);
  }
  if (error === "no-json") {
    return status >= 500 || statusesOfAnybody.has(status) ? kindByStatus(status) : "bad-answer";
  }
  if (error.isBaseResponse) {
    return kindOfBaseResponse.get(error.code) ?? kindByStatus(statusInside(status, error));
  }
  // OpenRouter's moderation refuses the caller's text with 403 and names its reasons.
  if (status === 403 && Array.isArray(error.metadata.reasons)) {
    return "bad-request";
  }
  if (status === 429 && isOverLimit(error)) {
    return "over-limit";
  }
  return (
    kindOfCode.get(error.code.toLowerCase()) ??
    kindOfCode.get(error.type.toLowerCase()) ??
    kindByStatus(statusInside(status, error))
  );
}

/**
 * OpenAI refuses a request that alone exceeds the limit per minute with the code, type and status of a limit that is used up; only the message
 * tells them apart. Source: https://platform.openai.com/docs/guides/rate-limits
 */
function isOverLimit({ message, type }: ErrorFields): boolean {
  return type === "tokens" && message.startsWith("Request too large");
}

/** Some providers put the status of an error into its code and answer 200, above all inside a stream. */
function statusInside(status: number, error: ErrorFields): number {
  const inner = Number(error.code);
  return status < 400 && inner >= 400 && inner < 600 ? inner : status;
}

function kindByStatus(status: number): FailureKind {
  if (status >= 400 && status < 500) {
    return kindOfStatus[status] ?? "bad-request";
  }
  return status >= 500 ? (kindOfStatus[status] ?? "server-error") : "bad-answer";
}
