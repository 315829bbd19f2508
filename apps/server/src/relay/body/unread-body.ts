import type { OutgoingHttpHeaders } from "node:http";
import type { CallerRequest, CallerResponse } from "@one-api/http1/server/caller-exchange";

/** A body of this many bytes that nobody reads would have to come in wholly before the connection's next request. */
const LONG_UNREAD_BYTES = 1024 * 1024;
/** What a caller is sending meanwhile is thrown away for so long, in ms: closed at once, the connection would take the answer along. */
const LINGER_MS = 1_000;

/** True for a request whose body is still to come and too long to be waited for. */
export function isLongUnread(request: CallerRequest): boolean {
  if (request.complete) return false;
  return Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) > LONG_UNREAD_BYTES;
}

/** An answer as it is sent. */
interface PlainAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly text: string;
}

/** Answers while the body is still coming, and closes the connection when the caller has had time to hear it. */
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
