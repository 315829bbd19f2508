import type { Failure } from "../../failure.ts";
import { numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { AnswerHeaders } from "../../shared/retry-after.ts";
import { readCodedError } from "../../protocols/coded-error.ts";
import { carriesError as carriesAnyError, readError as readAnyError } from "../../protocols/read-error.ts";

/** HTTP statuses of Spark's codes. Source: https://www.xfyun.cn/doc/spark/接口说明.html */
const STATUS_OF_CODE: ReadonlyMap<number, number> = new Map([
  // The request is malformed, too long, or refused for its content.
  ...[10003, 10004, 10005, 10013, 10014, 10019, 10021, 10163, 10907].map((code) => [code, 400] as const),
  [10015, 401],
  // Not enabled for the application, or used up.
  [10016, 402],
  [11200, 402],
  ...[10006, 10007, 11201, 11202, 11203].map((code) => [code, 429] as const),
  [10008, 503],
  [10110, 503],
]);

/** True for an error in an answer or an event: each has a code, which is 0 without an error. */
export function carriesError(answer: unknown): boolean {
  const code = numberOf(recordOf(answer).code);
  return (code !== undefined && code !== 0) || carriesAnyError(answer);
}

export function readError(status: number, headers: AnswerHeaders, body: string, now?: Date): Failure {
  const { code, message } = recordOf(parseJson(body));
  if (typeof code !== "number" || code === 0) return readAnyError(status, headers, body, now);
  const meant = STATUS_OF_CODE.get(code) ?? 500;
  return readCodedError(meant, headers, { code: String(code), message: textOf(message) }, now);
}
