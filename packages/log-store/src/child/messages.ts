import type { DatabaseLocation } from "@one-api/database/open-database";
import type { LogStoreFailure, LogStoreStatus } from "../log-store.ts";
import type { Answered, LogQuestion } from "../questions.ts";
import type { DuckSettings } from "../replica/duck.ts";

/** First message to the child process. It is a message because the database's address contains a password. */
export interface ChildStart {
  readonly file: string;
  readonly location: DatabaseLocation;
  readonly settings: DuckSettings;
}

export type ToChild =
  | { readonly kind: "start"; readonly start: ChildStart }
  | { readonly kind: "ask"; readonly id: number; readonly question: LogQuestion }
  | { readonly kind: "cancel"; readonly id: number };

export type FromChild =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly id: number; readonly answered: Answered<unknown> }
  | { readonly kind: "failure"; readonly id: number; readonly code: LogStoreFailure; readonly message: string }
  | { readonly kind: "status"; readonly status: LogStoreStatus }
  /** A step failed and is retried. */
  | { readonly kind: "stalled"; readonly message: string }
  /** The file must be deleted. The process ends. */
  | { readonly kind: "damaged"; readonly message: string }
  /** There is no DuckDB for this platform. The process ends. */
  | { readonly kind: "unavailable"; readonly message: string };
