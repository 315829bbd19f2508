import type { IncomingHttpHeaders } from "node:http";
import type { ParsedRequest, RequestBody } from "../body/index.ts";
import type { Requester } from "../media/index.ts";
import type { WriteLimits } from "../limits/index.ts";
import type { RelayError } from "../errors/index.ts";
import type { CallableModel } from "./callable-model.ts";

export interface CallPath {
  /** Reads a body that is not JSON; undefined for JSON. Throws a 400 RelayError. */
  readBody?(bytes: Buffer, headers: IncomingHttpHeaders): RequestBody | undefined;
  parseRequest(body: RequestBody, headers: IncomingHttpHeaders): ParsedRequest;
  measure?(parsed: ParsedRequest, requester: Requester): Promise<ParsedRequest>;
}

/** A format as clients meet it: paths, key header, form of errors. */
export interface Dialect {
  readonly name: string;
  callAt(path: string, query: string): CallPath | undefined;
  /** Counting is free. `writeCount` makes the answer. */
  countAt(path: string, query: string): CallPath | undefined;
  /** True for a client of this dialect, on paths that dialects share. */
  isSpoken(headers: IncomingHttpHeaders, path: string): boolean;
  /** Header of the request id in every answer, in addition to the gateway's own. */
  readonly requestIdHeader: string;
  readonly writeLimits: WriteLimits;
  /** Without a scheme; empty if none. */
  readCredential(headers: IncomingHttpHeaders, query: string): string;
  statusOf(error: RelayError): number;
  writeError(error: RelayError, requestId: string): string;
  writeModel(model: CallableModel): unknown;
  writeModels(models: readonly CallableModel[]): unknown;
  writeCount(promptTokens: number): unknown;
}
