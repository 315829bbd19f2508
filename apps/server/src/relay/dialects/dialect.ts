import type { IncomingHttpHeaders } from "node:http";
import type { ParsedRequest, RequestBody } from "../body/index.ts";
import type { Asker } from "../media/index.ts";
import type { RelayError } from "../errors/index.ts";
import type { CallableModel } from "./callable-model.ts";

/** A path that takes a body, and how that is read. */
export interface CallPath {
  /** Reads a body that is something else than JSON; undefined for JSON. Throws a 400 RelayError. */
  readBody?(bytes: Buffer, headers: IncomingHttpHeaders): RequestBody | undefined;
  /** Reads what is asked. Throws a 400 RelayError that names the field and the fix. */
  parseRequest(body: RequestBody, headers: IncomingHttpHeaders): ParsedRequest;
  /** What is only known after a closer look. Rejects with a RelayError. */
  measure?(ask: ParsedRequest, asker: Asker): Promise<ParsedRequest>;
}

/** A format as callers meet it: its paths, where the key stands, and what an error looks like. */
export interface Dialect {
  readonly name: string;
  /** What is asked with a body at the path, of whose query it may depend too; undefined at paths of others. */
  callAt(path: string, query: string): CallPath | undefined;
  /** The same where a request's prompt is counted, which costs nothing. The answer is what `writeCount` makes of the number. */
  countAt(path: string, query: string): CallPath | undefined;
  /** True for a caller of this dialect, on paths that others have too. */
  isSpoken(headers: IncomingHttpHeaders, path: string): boolean;
  /** The header beside the gateway's own that names the request in every answer. */
  readonly requestIdHeader: string;
  /** Returns what is presented as the key, without a scheme; empty without one. */
  readCredential(headers: IncomingHttpHeaders, query: string): string;
  /** HTTP status that the dialect has for the error. */
  statusOf(error: RelayError): number;
  /** The error as the body of an answer; its message names the request. */
  writeError(error: RelayError, requestId: string): string;
  writeModel(model: CallableModel): unknown;
  writeModels(models: readonly CallableModel[]): unknown;
  writeCount(promptTokens: number): unknown;
}
