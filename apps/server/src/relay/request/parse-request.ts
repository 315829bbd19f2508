import type { CallerRequest } from "@one-api/http1/server/caller-exchange";
import { isLong, type ParsedRequest, readBody, readLongBody, type RequestBody } from "../body/index.ts";
import type { IdentifiedCall } from "../callers/index.ts";
import type { CallPath } from "../dialects/index.ts";
import type { RequestServices } from "./request-services.ts";

interface Parsing {
  readonly isCallerGone: boolean;
}

/** Parses a body and measures its recording. A promise for long bodies and recordings only. Throws a RelayError for a request that is not valid. */
export function parseRequest(
  { timeSlices }: Pick<RequestServices, "timeSlices">,
  { callPath, request }: { readonly callPath: CallPath; readonly request: CallerRequest },
  call: Pick<IdentifiedCall, "caller"> | undefined,
  parsing: Parsing,
  bytes: Buffer,
): ParsedRequest | Promise<ParsedRequest> {
  const form = callPath.readBody?.(bytes, request.headers);
  if (form !== undefined) return parseBody(callPath, request, call, parsing, form);
  const body = isLong(bytes) ? readLongBody(bytes, timeSlices, () => !parsing.isCallerGone) : readBody(bytes);
  if (!(body instanceof Promise)) return parseBody(callPath, request, call, parsing, body);
  return body.then((read) => parseBody(callPath, request, call, parsing, read));
}

function parseBody(
  callPath: CallPath,
  { headers }: CallerRequest,
  call: Pick<IdentifiedCall, "caller"> | undefined,
  parsing: Parsing,
  body: RequestBody,
): ParsedRequest | Promise<ParsedRequest> {
  const parsed = callPath.parseRequest(body, headers);
  if (callPath.measure === undefined) return parsed;
  return callPath.measure(parsed, { userId: call?.caller.userId ?? 0, isConnected: () => !parsing.isCallerGone });
}
