import { readError } from "@one-api/providers/protocols/read-error";
import { isOfAccount } from "../upstream/index.ts";
import type { ForwardedAnswer } from "./forward.ts";
import { upstreamFailed } from "../errors/index.ts";

/** Throws UpstreamFailedError if the provider refused the channel's key or account, which is not the caller's fault. */
export function refuseAccountFault(
  { statusCode, headers }: Pick<ForwardedAnswer, "statusCode" | "headers">,
  text: string,
): void {
  if (statusCode < 400) return;
  const failure = readError(statusCode, headers, text);
  if (isOfAccount(failure)) throw upstreamFailed(failure);
}
