import { readError } from "@one-api/providers/protocols/read-error";
import { isOfAccount } from "../upstream/index.ts";
import type { ForwardedAnswer } from "./forward.ts";
import { upstreamFailed } from "../errors/index.ts";

/** Throws UpstreamFailedError for an answer that refuses the channel's own key or account: it is no fault of the caller, whose key is fine. */
export function refuseAccountFault(
  { statusCode, headers }: Pick<ForwardedAnswer, "statusCode" | "headers">,
  text: string,
): void {
  if (statusCode < 400) return;
  const failure = readError(statusCode, headers, text);
  if (isOfAccount(failure)) throw upstreamFailed(failure);
}
