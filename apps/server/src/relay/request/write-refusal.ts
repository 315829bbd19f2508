import type { CallerRequest, CallerResponse } from "@one-api/http1/server/caller-exchange";
import { endUnread, isLongUnread } from "../body/index.ts";
import { type Dialect, responseHeaders } from "../dialects/index.ts";
import type { RelayError } from "../errors/index.ts";

export interface RefusedRequest {
  readonly dialect: Dialect;
  readonly request: CallerRequest;
  readonly response: CallerResponse;
  readonly requestId: string;
}

/** Answers with an error, and returns its text. Destroys the connection instead where the head has left, and returns an empty text. */
export function writeRefusal({ dialect, request, response, requestId }: RefusedRequest, answer: RelayError): string {
  if (response.headersSent) {
    response.destroy();
    return "";
  }
  const headers = { "content-type": "application/json", ...responseHeaders(requestId, dialect), ...answer.headers };
  const text = dialect.writeError(answer, requestId);
  const status = dialect.statusOf(answer);
  if (isLongUnread(request)) endUnread(request, response, { status, headers, text });
  else {
    response.writeHead(status, headers);
    response.end(text);
  }
  return text;
}
