import type { IncomingHttpHeaders } from "node:http";
import { type Failure, failureOf } from "@one-api/providers/failure";
import type { Translation } from "../translate/index.ts";
import { failureOfRedirect } from "./read-failure.ts";

interface Refusal {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The requested address. */
  readonly url: string;
  readonly text: string;
}

/** Failure of an answer that is no content: a refusal, a redirect, or one that is compressed. */
export function readRefusal(
  translation: Pick<Translation, "readError">,
  { status, headers, url, text }: Refusal,
): Failure {
  const coding = codingOf(headers);
  if (coding === undefined)
    return failureOfRedirect(status, headers.location, url) ?? translation.readError(status, headers, text);
  const message = `The provider's answer is compressed (${coding}), although it was asked for as it is. Look at what stands between.`;
  if (status <= 299) return failureOf("bad-answer", status, message);
  return { ...translation.readError(status, headers, ""), message };
}

/** Returns the content coding; undefined for an answer that is not compressed. */
export function codingOf(headers: IncomingHttpHeaders): string | undefined {
  const coding = headers["content-encoding"];
  return coding === undefined || coding === "" || coding === "identity" ? undefined : coding.slice(0, 40);
}
