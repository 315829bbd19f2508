import type { RequestRecord } from "./request-record.ts";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Behaviour } from "./behaviour.ts";
import type { OpenAiErrorBody, WriteErrorBody } from "./refusal.ts";
import type { Routes } from "./routes.ts";

/** A vendor's stub. The first API with a route for a request answers it. */
export interface Stub {
  readonly apis: readonly StubApi[];
  readonly sessions?: SessionApi;
}

export interface StubApi {
  readonly routes: Routes;
  /** Default: a bearer key. Returns undefined where the request has no key. Throws RequestRefused for a wrong signature or version. */
  readonly readKey?: (headers: IncomingHttpHeaders, record: RequestRecord) => string | undefined | Promise<string>;
  readonly writeError?: WriteErrorBody;
  readonly errorHeaders?: (status: number, body: OpenAiErrorBody) => OutgoingHttpHeaders;
  /** HTTP status of all errors, for a vendor that reports errors in the body only. */
  readonly errorStatus?: number;
  /** Bodies are raw files. */
  readonly takesBytes?: true;
  /** True for preparatory requests such as token exchanges, which ignore the configured behaviour. */
  readonly isAside?: true;
}

export interface SessionApi {
  readonly path: RegExp;
  readKey(record: RequestRecord): string | undefined;
  readonly writeError: WriteErrorBody;
  open(session: OpenedSession): RunningSession;
}

export interface OpenedSession {
  readonly socket: SessionSocket;
  readonly record: RequestRecord;
  readonly behaviourFor: () => Behaviour;
  /** Parses the marker in a text. Throws for an invalid one. */
  readonly markedBehaviour: (text: string) => Behaviour | undefined;
}

export interface RunningSession {
  stop(): void;
}

interface SessionSocket {
  readonly readyState: number;
  readonly OPEN: number;
  readonly bufferedAmount: number;
  on(event: "message", listener: (data: unknown) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  send(data: string | Buffer): void;
  close(code: number, reason: string): void;
  terminate(): void;
}
