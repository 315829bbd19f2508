import type { FailureKind } from "../failure.ts";
import type { JsonRecord } from "../shared/json-fields.ts";

export interface ErrorFields {
  readonly message: string;
  readonly code: string;
  readonly type: string;
  readonly param: string | null;
  /** Reason in Google's error details. */
  readonly reason: string;
  /** Fields beside the message; some providers nest them in a field of their own. */
  readonly metadata: JsonRecord;
  /** The code is one of MiniMax's `base_resp`, which has its own meanings. */
  readonly isBaseResponse: boolean;
}

/**
 * Codes, types and reasons, lower-case, that are more precise than the status. Sources: the error pages of OpenAI,
 * Azure, Moonshot, Zhipu (https://docs.bigmodel.cn/cn/api/api-code), Volcengine Ark, SiliconFlow, Novita, Alibaba
 * Model Studio (https://help.aliyun.com/en/model-studio/error-code), Baidu
 * (https://cloud.baidu.com/doc/qianfan-api/s/rmwbl43x7), Mistral and Groq, and google.api.ErrorReason.
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
  access_terminated_error: "bad-credential",
  failed_to_auth: "bad-credential",
  invalidapikey: "bad-credential",
  accessdenied: "bad-credential",
  access_denied: "bad-credential",
  invalid_iam_token: "bad-credential",
  "1000": "bad-credential",
  "1001": "bad-credential",
  "1002": "bad-credential",
  "1003": "bad-credential",
  "1004": "bad-credential",
  "1110": "bad-credential",
  "1111": "bad-credential",
  "1112": "bad-credential",
  "1120": "bad-credential",
  "1121": "bad-credential",
  "1220": "bad-credential",
  api_key_invalid: "bad-credential",
  api_key_expired: "bad-credential",
  api_key_service_blocked: "bad-credential",
  api_key_http_referrer_blocked: "bad-credential",
  api_key_ip_address_blocked: "bad-credential",
  service_disabled: "bad-credential",
  consumer_invalid: "bad-credential",
  consumer_suspended: "bad-credential",
  user_project_denied: "bad-credential",
  resource_project_invalid: "bad-credential",
  access_token_expired: "bad-credential",
  access_token_scope_insufficient: "bad-credential",
  access_token_type_unsupported: "bad-credential",
  credentials_missing: "bad-credential",
  account_state_invalid: "bad-credential",

  insufficient_quota: "out-of-credit",
  billing_hard_limit_reached: "out-of-credit",
  billing_not_active: "out-of-credit",
  insufficient_balance: "out-of-credit",
  insufficient_user_quota: "out-of-credit",
  exceeded_current_quota_error: "out-of-credit",
  not_enough_balance: "out-of-credit",
  accountoverdueerror: "out-of-credit",
  arrearage: "out-of-credit",
  billing_error: "out-of-credit",
  billing_disabled: "out-of-credit",
  commoditynotpurchased: "out-of-credit",
  prepaidbilloverdue: "out-of-credit",
  postpaidbilloverdue: "out-of-credit",
  "allocationquota.freetieronly": "out-of-credit",
  "accessdenied.unpurchased": "out-of-credit",
  "1113": "out-of-credit",
  "1309": "out-of-credit",
  "30001": "out-of-credit",

  model_not_found: "unknown-model",
  deploymentnotfound: "unknown-model",
  "invalidendpointormodel.notfound": "unknown-model",
  modelnotopen: "unknown-model",
  resource_not_found_error: "unknown-model",
  modelnotfound: "unknown-model",
  model_not_supported: "unknown-model",
  "1211": "unknown-model",
  "1311": "unknown-model",
  "20012": "unknown-model",

  rate_limit_exceeded: "rate-limited",
  rate_limit_error: "rate-limited",
  rate_limit_reached_error: "rate-limited",
  throttling: "rate-limited",
  "throttling.ratequota": "rate-limited",
  "throttling.burstrate": "rate-limited",
  "throttling.allocationquota": "rate-limited",
  "1302": "rate-limited",
  "1303": "rate-limited",
  "1304": "rate-limited",
  "1308": "rate-limited",
  "1310": "rate-limited",

  engine_overloaded_error: "overloaded",
  overloaded_error: "overloaded",
  serveroverloaded: "overloaded",
  service_tier_capacity_exceeded: "overloaded",
  capacity_exceeded: "overloaded",
  "1305": "overloaded",
  "1312": "overloaded",

  context_length_exceeded: "bad-request",
  exceed_context_size_error: "bad-request",
  tokens_too_long: "bad-request",
  characters_too_long: "bad-request",
  content_filter: "bad-request",
  content_policy_violation: "bad-request",
  datainspectionfailed: "bad-request",
  data_inspection_failed: "bad-request",
  "1210": "bad-request",
  "1213": "bad-request",
  "1214": "bad-request",
  "1215": "bad-request",
  "1261": "bad-request",
  "1301": "bad-request",
};

/**
 * Types and codes, lower-case without separators, that name a status. Only used with a good status: OpenAI's wrong key
 * is an `invalid_request_error` too. Sources: the errors of vLLM and of OpenAI's SDKs, google.rpc.Code, Anthropic's
 * types.
 */
const STATUS_OF_NAME: ReadonlyMap<string, number> = new Map([
  ["badrequest", 400],
  ["invalidrequest", 400],
  ["invalidargument", 400],
  ["invalidparameter", 400],
  ["invalidparametervalue", 400],
  ["invalidprompt", 400],
  ["invalidvalue", 400],
  ["validation", 400],
  ["failedprecondition", 400],
  ["outofrange", 400],
  ["unprocessableentity", 422],
  ["requesttoolarge", 413],
  ["unauthenticated", 401],
  ["unauthorized", 401],
  ["permissiondenied", 403],
  ["notfound", 404],
  ["resourceexhausted", 429],
  ["ratelimit", 429],
  ["ratelimitexceeded", 429],
  ["toomanyrequests", 429],
  ["internal", 500],
  ["internalserver", 500],
  ["api", 500],
  ["server", 500],
  ["unavailable", 503],
  ["serviceunavailable", 503],
  ["serverisoverloaded", 503],
  ["slowdown", 503],
  ["deadlineexceeded", 504],
  ["timeout", 504],
]);

/** Kind of a code, type or reason; undefined if only the status decides. */
export function kindOfName(name: string): FailureKind | undefined {
  return kindOfCode.get(name.toLowerCase());
}

/** Source: https://platform.minimax.io/docs/api-reference/errorcode */
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

// Upstreams choose the codes: a map, unlike an object, has no entry for `constructor`.
const kindOfCode = new Map(Object.entries(kindsByCode));
const kindOfBaseResponse = new Map(Object.entries(kindsByBaseResponse));

/** Kinds by status alone. An answer with a good status but no result is a bad answer. */
const kindOfStatus: Readonly<Record<number, FailureKind>> = {
  401: "bad-credential",
  402: "out-of-credit",
  403: "bad-credential",
  // Zhipu: the account may not use the API.
  434: "bad-credential",
  404: "unknown-model",
  408: "timeout",
  429: "rate-limited",
  503: "overloaded",
  504: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** Statuses with the same meaning from every server, proxies included. */
const statusesOfAnybody: ReadonlySet<number> = new Set([401, 402, 408, 429]);

/**
 * Classifies an error by its codes, else by its status. Message text only matters for limits. Most 4xx without a JSON
 * body come from a proxy: bad answers.
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
  // OpenRouter's moderation refuses texts with 403 and names its reasons.
  if (status === 403 && Array.isArray(error.metadata.reasons)) {
    return "bad-request";
  }
  if (status === 429 && isOverLimit(error)) {
    return "over-limit";
  }
  return (
    kindOfCode.get(error.reason.toLowerCase()) ??
    kindOfCode.get(error.code.toLowerCase()) ??
    kindOfCode.get(error.type.toLowerCase()) ??
    kindByStatus(statusInside(status, error))
  );
}

/**
 * OpenAI refuses a request that alone exceeds the limit per minute with the code, type and status of an exhausted
 * limit. Only the message differs. Source: https://platform.openai.com/docs/guides/rate-limits
 */
function isOverLimit({ message, type }: ErrorFields): boolean {
  return type === "tokens" && message.startsWith("Request too large");
}

/** Status of an error in a good answer or a stream, by its code or type. */
export function statusInside(status: number, { code, type }: Pick<ErrorFields, "code" | "type">): number {
  if (status >= 400) return status;
  const inner = Number(code);
  if (inner >= 400 && inner < 600) return inner;
  return statusOfName(code) ?? statusOfName(type) ?? status;
}

function statusOfName(name: string): number | undefined {
  return STATUS_OF_NAME.get(
    name
      .toLowerCase()
      .replaceAll(/[^a-z]/g, "")
      .replace(/(?:error|exception)$/, ""),
  );
}

function kindByStatus(status: number): FailureKind {
  if (status >= 400 && status < 500) {
    return kindOfStatus[status] ?? "bad-request";
  }
  return status >= 500 ? (kindOfStatus[status] ?? "server-error") : "bad-answer";
}
