import type { CallerRequest } from "@one-api/http1/server/caller-exchange";
import { isLong, type ParsedRequest, readBody, readLongBody, type RequestBody } from "../body/index.ts";
import type { CallPath } from "../dialects/index.ts";
import type { RequestServices } from "./request-services.ts";

/** Request whose body is parsed. */
export interface BodySender {
  readonly userId: number;
  /** The caller has disconnected, so work that waits ends. */
  readonly isCallerGone: boolean;
}

/** Parses a body and measures its recording. A promise for long bodies and recordings only. Throws a RelayError for a request that is not valid. */
export function parseRequest(
  { timeSlices }: Pick<RequestServices, "timeSlices">,
  { callPath, request }: { readonly callPath: CallPath; readonly request: CallerRequest },
  sender: BodySender,
  bytes: Buffer,
): ParsedRequest | Promise<ParsedRequest> {
  const form = callPath.readBody?.(bytes, request.headers);
  if (form !== undefined) return parseBody(callPath, request, sender, form);
  const body = isLong(bytes) ? readLongBody(bytes, timeSlices, () => !sender.isCallerGone) : readBody(bytes);
  if (!(body instanceof Promise)) return parseBody(callPath, request, sender, body);
  return body.then((read) => parseBody(callPath, request, sender, read));
}

function parseBody(
  callPath: CallPath,
  { headers }: CallerRequest,
  sender: BodySender,
  body: RequestBody,
): ParsedRequest | Promise<ParsedRequest> {
  const parsed = callPath.parseRequest(body, headers);
  if (callPath.measure === undefined) return parsed;
  return callPath.measure(parsed, { userId: sender.userId, isConnected: () => !sender.isCallerGone });
}
