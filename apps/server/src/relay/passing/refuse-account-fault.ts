import { readError } from "@one-api/providers/formats/read-error";
import { unserved } from "../job/next-route.ts";
import { isOfAccount } from "../upstream/failure-answer.ts";
import type { PassedAnswer } from "./pass-on.ts";

/** Throws UnservedError for an answer that refuses the channel's own key or account: it is no fault of the caller, whose key is fine. */
export function refuseAccountFault(
  { statusCode, headers }: Pick<PassedAnswer, "statusCode" | "headers">,
  text: string,
): void {
  if (statusCode < 400) return;
  const failure = readError(statusCode, headers, text);
  if (isOfAccount(failure)) throw unserved(failure);
}
