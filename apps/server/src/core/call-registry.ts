import type { Call } from "@one-api/contract/call";
import type { z } from "zod";
import type { CallContext } from "./call-context.ts";

/** A cookie of one call, for the server alone. */
export interface SessionCookie {
  /** Undefined when the browser sent none. */
  readonly value: string | undefined;
  readonly set: (value: string, maxAgeSeconds: number) => void;
  readonly clear: () => void;
}

/** What a handler gets: the input as its call's schemas made it, and who calls. */
export interface CallInput<C extends Call> {
  readonly params: z.output<C["params"]>;
  readonly query: z.output<C["query"]>;
  readonly body: z.output<C["body"]>;
  readonly context: CallContext;
  readonly cookie: SessionCookie;
  /** Recognises the browser that began something it has to end, logged in or not. */
  readonly browserCookie: SessionCookie;
  /** Recognises the browser that is in the middle of a login or was asked for a passkey. It is no session and proves nobody. */
  readonly stepCookie: SessionCookie;
  /** Says which accounts the browser has logged in to. It proves nobody. */
  readonly deviceCookie: SessionCookie;
  /** The value of a request header, lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Tells a list's total rows in the answer's header. */
  readonly setTotal: (total: number) => void;
  /** Puts a message beside the data; empty without. */
  readonly setMessage: (message: string) => void;
}

/** Answers the call's `data`. Throws AppError to refuse. */
export type CallHandler<C extends Call> = (input: CallInput<C>) => Promise<z.input<C["data"]>>;

/** A file that an answer is, written while it is sent: no faster than its reader takes it. */
export interface Download {
  readonly contentType: string;
  readonly fileName: string;
  /** Is ended when the reader leaves. What it throws breaks the connection, so that nobody takes a part for the whole. */
  readonly pieces: AsyncIterable<string>;
}

/** Answers a call whose answer is a file. Throws AppError to refuse. */
type DownloadHandler<C extends Call> = (input: Omit<CallInput<C>, "setMessage" | "setTotal">) => Promise<Download>;

/** Where features hand in their calls; access, origin, input and answer are checked around the handler by the call's declaration. */
export interface CallRegistry {
  register<C extends Call>(call: C, handler: CallHandler<C>): void;
  /** A call whose data is no envelope's but a file. */
  registerDownload<C extends Call>(call: C, handler: DownloadHandler<C>): void;
}
