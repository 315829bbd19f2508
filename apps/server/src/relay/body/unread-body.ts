import type { OutgoingHttpHeaders } from "node:http";
import type { CallerRequest, CallerResponse } from "@one-api/http1/server/caller-exchange";

/** A longer unread body is not received only to reuse the connection. */
const LONG_UNREAD_BYTES = 1024 * 1024;
/** Time to discard incoming bytes before closing, in ms. Closing at once would lose the answer. */
const LINGER_MS = 1_000;

export function isLongUnread(request: CallerRequest): boolean {
  if (request.complete) return false;
  return Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) > LONG_UNREAD_BYTES;
}

interface PlainAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly text: string;
}

/** Answers while the body is still arriving. Closes the connection once the caller has had time to read the answer. */
export function endUnread(
  request: CallerRequest,
  response: CallerResponse,
  { status, headers, text }: PlainAnswer,
): void {
  const length = { "content-length": Buffer.byteLength(text), connection: "close" };
  response.writeHead(status, { ...headers, ...length });
  response.write(text);
  const timer = setTimeout(end, LINGER_MS);
  function end(): void {
    clearTimeout(timer);
    response.end();
  }
  request.once("end", end);
  request.once("close", end);
  request.resume();
}
