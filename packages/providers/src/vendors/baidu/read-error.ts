import type { Failure } from "../../failure.ts";
import { numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { readCodedError } from "../../protocols/coded-error.ts";
import { readError as readAnyError } from "../../protocols/read-error.ts";

/** The token is invalid or has expired. */
export const TOKEN_CODES: ReadonlySet<string> = new Set(["100", "110", "111"]);

/** HTTP statuses of Baidu's codes; every error has status 200. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh */
const STATUS_OF_CODE: ReadonlyMap<number, number> = new Map([
  [1, 500],
  [2, 503],
  // The path or the named service does not exist, or is closed to the application.
  [3, 404],
  [6, 404],
  [336005, 404],
  // The cluster is at its limit, not the account.
  [4, 503],
  [336100, 503],
  [13, 401],
  [14, 401],
  [100, 401],
  [110, 401],
  [111, 401],
  [336004, 401],
  // Temporary: a retry succeeds.
  [15, 500],
  // Not paid, overdue, or the free quota is used up.
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

/** Other codes of the models' own range are about the request. */
function statusOf(code: number): number {
  return STATUS_OF_CODE.get(code) ?? (code >= 336_000 && code < 338_000 ? 400 : 500);
}

export function carriesError(answer: unknown): boolean {
  const code = numberOf(recordOf(answer).error_code);
  return code !== undefined && code !== 0;
}

export function readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const { error_code: code, error_msg: message } = recordOf(parseJson(body));
  if (typeof code !== "number") return readAnyError(status, headers, body, now);
  return readCodedError(statusOf(code), headers, { code: String(code), message: textOf(message) }, now);
}
