import type { Call } from "@one-api/contract/call";
import type { z } from "zod";
import type { CallContext } from "./call-context.ts";

export interface SessionCookie {
  readonly value: string | undefined;
  readonly set: (value: string, maxAgeSeconds: number) => void;
  readonly clear: () => void;
}

export interface CallInput<C extends Call> {
  readonly params: z.output<C["params"]>;
  readonly query: z.output<C["query"]>;
  readonly body: z.output<C["body"]>;
  readonly context: CallContext;
  readonly cookie: SessionCookie;
  /** Identifies a browser that began a login at a provider, logged in or not. */
  readonly browserCookie: SessionCookie;
  /** Identifies a pending login step or passkey request. It is not a session. */
  readonly stepCookie: SessionCookie;
  /** Names the accounts that know this browser. It is not a credential. */
  readonly deviceCookie: SessionCookie;
  readonly header: (name: string) => string | undefined;
  readonly setTotal: (total: number) => void;
  readonly setMessage: (message: string) => void;
}

/** Returns the call's `data`. Throws AppError to refuse. */
export type CallHandler<C extends Call> = (input: CallInput<C>) => Promise<z.input<C["data"]>>;

export interface Download {
  readonly contentType: string;
  readonly fileName: string;
  /** Closed when the client disconnects. An error breaks the connection, so that an incomplete file is noticed. */
  readonly pieces: AsyncIterable<string>;
}

type DownloadHandler<C extends Call> = (input: Omit<CallInput<C>, "setMessage" | "setTotal">) => Promise<Download>;

/** Access, origin, input and answer are checked around each handler, by the call's declaration. */
export interface CallRegistry {
  register<C extends Call>(call: C, handler: CallHandler<C>): void;
  registerDownload<C extends Call>(call: C, handler: DownloadHandler<C>): void;
}
