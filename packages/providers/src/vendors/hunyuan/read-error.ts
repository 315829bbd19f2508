import type { Failure } from "../../failure.ts";
import { type JsonRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { readCodedError } from "../../protocols/coded-error.ts";
import { readError as readAnyError } from "../../protocols/read-error.ts";

/**
 * HTTP statuses of Tencent's codes by prefix; the first match counts. Errors have status 200. Sources:
 * https://cloud.tencent.com/document/api/1729/101836, https://cloud.tencent.com/document/api/1729/101838
 */
const STATUSES: readonly (readonly [beginning: string, status: number])[] = [
  // A wrong clock of this machine does not invalidate the key.
  ["AuthFailure.SignatureExpire", 500],
  ["AuthFailure", 401],
  ["UnauthorizedOperation", 401],
  ["FailedOperation.UserUnAuthError", 401],
  ["FailedOperation.ServiceNotActivated", 402],
  ["FailedOperation.ServiceStop", 402],
  ["FailedOperation.ServiceStopArrears", 402],
  ["FailedOperation.FreeResourcePackExhausted", 402],
  ["FailedOperation.ResourcePackExhausted", 402],
  ["FailedOperation.EngineRequestTimeout", 504],
  ["FailedOperation.EngineServerLimitExceeded", 503],
  ["ResourceInsufficient", 402],
  ["RequestLimitExceeded", 429],
  ["LimitExceeded", 429],
  ["InvalidParameterValue.Model", 404],
  ["ResourceNotFound", 404],
  ["ResourceUnavailable", 503],
  ["InvalidParameter", 400],
  ["MissingParameter", 400],
  ["UnknownParameter", 400],
  ["UnsupportedOperation", 400],
  ["OperationDenied", 400],
  ["4001", 504],
];

function errorOf(answer: unknown): JsonRecord | undefined {
  const { Response, ErrorMsg } = recordOf(answer);
  const { Code, Message } = recordOf(recordOf(Response).Error);
  const { Code: number, Msg } = recordOf(ErrorMsg);
  if (textOf(Code) !== "") return { code: textOf(Code), message: textOf(Message) };
  return typeof number === "number" ? { code: String(number), message: textOf(Msg) } : undefined;
}

export function carriesError(answer: unknown): boolean {
  return errorOf(answer) !== undefined;
}

export function readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const error = errorOf(parseJson(body));
  if (error === undefined) return readAnyError(status, headers, body, now);
  const [code, message] = [textOf(error.code), textOf(error.message)];
  const meant = STATUSES.find(([beginning]) => code.startsWith(beginning))?.[1] ?? 500;
  return readCodedError(meant, headers, { code, message }, now);
}
