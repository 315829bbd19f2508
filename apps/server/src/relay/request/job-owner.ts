import type { CallerResponse } from "@one-api/http1/server/caller-exchange";
import type { Dialect } from "../dialects/index.ts";
import type { RelayError } from "../errors/index.ts";
import type { ReplyWriter } from "./reply-writer.ts";

/** Whose job it is: where the answer goes, and who tells of errors. */
export interface JobOwner {
  readonly response: CallerResponse;
  readonly writer: ReplyWriter;
  readonly dialect: Dialect;
  /** Returns what the caller is told of an error, and tells refusals to the log. */
  explain(error: unknown): RelayError;
  /** Answers with an error, where nothing of an answer has left, and returns what it says; empty when the caller has left. */
  refuse(error: unknown): string;
  /** So many bytes are fetched for the caller's body. Throws a RelayError where there is no room for them. */
  bodyGrew(bytes: number): void;
  /** What was fetched for the caller's body is gone. */
  bodyShrank(): void;
  /** Nobody reads the caller's body any more, here or on the way to a provider. */
  bodyUsed(): void;
  /** The job is booked, or given back. */
  settled(): void;
}
