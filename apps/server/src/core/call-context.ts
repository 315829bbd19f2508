import type { LogStore } from "@one-api/log-store/log-store";
import { NO_LOG_STORE } from "@one-api/log-store/no-log-store";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Actor } from "./actor.ts";
import { AppError } from "./app-error.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { Clock } from "../platform/clock.ts";
import type { Secrets } from "./secrets.ts";
import type { Queryable } from "./transaction.ts";

export interface CallContext {
  readonly actor: Actor | undefined;
  readonly address: string;
  readonly requestId: string;
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly changes: ChangeFeed;
  readonly logStore: LogStore;
  /** Aborted when the caller disconnects. Undefined for work without a caller. */
  readonly signal?: AbortSignal;
  /**
   * Stores the answer's `data` for a repeated call. Undefined without an Idempotency-Key.
   * Every call that supports it calls it last in its transaction.
   */
  readonly rememberAnswer?: (transaction: Queryable, data: unknown) => Promise<void>;
}

/** Throws `not-logged-in` without a login. */
export function requireActor(context: CallContext): Actor {
  if (context.actor === undefined) throw new AppError("not-logged-in", "Log in first.");
  return context.actor;
}

export function contextOfGateway(
  parts: Omit<CallContext, "actor" | "address" | "requestId" | "logStore">,
): CallContext {
  return { logStore: NO_LOG_STORE, ...parts, actor: undefined, address: "", requestId: "" };
}
