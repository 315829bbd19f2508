import type { Failure, FailureKind } from "../../failure.ts";
import { parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { redactSecrets } from "../../shared/redact-secrets.ts";
import { type AnswerHeaders, headerOf } from "../../shared/retry-after.ts";
import { carriesError as carriesAnyError, inStream, readError as readAnyError } from "../../protocols/read-error.ts";
import { refineFailure } from "../../protocols/refine-failure.ts";

/**
 * Exceptions by name, lower-case, without `Exception`. Sources:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html and
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
const KINDS: ReadonlyMap<string, FailureKind> = new Map([
  ["throttling", "rate-limited"],
  ["toomanyrequests", "rate-limited"],
  ["servicequotaexceeded", "rate-limited"],
  ["serviceunavailable", "overloaded"],
  ["modelnotready", "overloaded"],
  ["internalserver", "server-error"],
  ["internalfailure", "server-error"],
  ["modelerror", "server-error"],
  ["modelstreamerror", "server-error"],
  ["modeltimeout", "timeout"],
  ["resourcenotfound", "unknown-model"],
  ["validation", "bad-request"],
  ["accessdenied", "bad-credential"],
  ["unrecognizedclient", "bad-credential"],
  ["invalidsignature", "bad-credential"],
  ["signaturedoesnotmatch", "bad-credential"],
  ["incompletesignature", "bad-credential"],
  ["invalidclienttokenid", "bad-credential"],
  ["missingauthenticationtoken", "bad-credential"],
  ["expiredtoken", "bad-credential"],
  ["optinrequired", "bad-credential"],
]);

/**
 * Messages for a model that the account or region lacks. The exceptions are those of a wrong request or key, so only the message distinguishes
 * them.
 * Source: https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html
 */
const NO_SUCH_MODEL = /access to the model|model identifier is invalid|inference profile|end of its life/i;

/** True for an answer whose only text is its message. */
export function carriesError(answer: unknown): boolean {
  const { output, message, Message } = recordOf(answer);
  return output === undefined && (carriesAnyError(answer) || typeof (message ?? Message) === "string");
}

/** Reads a refusal by its exception. Never throws; the message holds no secrets and no addresses. */
export function readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const { __type, Message } = recordOf(parseJson(body));
  return readException(headerOf(headers, "x-amzn-errortype") || textOf(__type), {
    status,
    headers,
    body,
    now,
    Message,
  });
}

export function readStreamException(name: string, data: string): Failure {
  return inStream(readException(name, { status: 200, headers: {}, body: data, now: undefined, Message: undefined }));
}

interface Refusal {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string;
  readonly now: Date | undefined;
  /** Some front ends of AWS write the message with a capital. */
  readonly Message: unknown;
}

/** The name may follow a namespace (`com.amazon.coral#`) and precede an address. */
function readException(named: string, { status, headers, body, now, Message }: Refusal): Failure {
  const failure = readAnyError(status, headers, body, now);
  const name = redactSecrets(named.replace(/^.*#/, "").replace(/:.*$/, ""));
  const message = redactSecrets(textOf(Message)) || failure.message;
  const known = KINDS.get(name.toLowerCase().replace(/exception$/, ""));
  const mayMeanModel = known === "bad-request" || known === "bad-credential";
  const kind = mayMeanModel && NO_SUCH_MODEL.test(message) ? "unknown-model" : (known ?? failure.kind);
  return refineFailure({ ...failure, kind, message, code: name || failure.code, type: "" });
}
