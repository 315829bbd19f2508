import type { Failure } from "../../failure.ts";
import { numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { readCodedError } from "../../protocols/coded-error.ts";
import { readError as readAnyError } from "../../protocols/read-error.ts";

/** The token is none, is none any more, or has ended. */
export const TOKEN_CODES: ReadonlySet<string> = new Set(["100", "110", "111"]);

/** The statuses that say what Baidu's codes say; every error comes with 200. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh */
const STATUS_OF_CODE: ReadonlyMap<number, number> = new Map([
  [1, 500],
  [2, 503],
  // The path, or the service of that name, does not exist or is not open to the application.
  [3, 404],
  [6, 404],
  [336005, 404],
  // The cluster is full, not the account.
  [4, 503],
  [336100, 503],
  [13, 401],
  [14, 401],
  [100, 401],
  [110, 401],
  [111, 401],
  [336004, 401],
  // Gone when it is asked again.
  [15, 500],
  // Not paid for, owed, or the free calls are used up.
  [17, 402],
  [19, 402],
  [18, 429],
  [336501, 429],
  [336502, 429],
  [336503, 429],
  [336504, 429],
  [336505, 429],
  [336000, 500],
  [336101, 500],
  [500000, 500],
]);

/** Other codes of the models' own family are about the request. */
function statusOf(code: number): number {
  return STATUS_OF_CODE.get(code) ?? (code >= 336_000 && code < 338_000 ? 400 : 500);
}

/** True for an answer with an error in it. */
export function carriesError(answer: unknown): boolean {
  const code = numberOf(recordOf(answer).error_code);
  return code !== undefined && code !== 0;
}

/** Reads a refusal. Never throws; the message holds no secrets and no addresses. */
export function readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const { error_code: code, error_msg: message } = recordOf(parseJson(body));
  if (typeof code !== "number") return readAnyError(status, headers, body, now);
  return readCodedError(statusOf(code), headers, { code: String(code), message: textOf(message) }, now);
}
