import type { LogStore } from "@one-api/log-store/log-store";
import { NO_LOG_STORE } from "@one-api/log-store/no-log-store";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Actor } from "./actor.ts";
import { AppError } from "./app-error.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { Clock } from "../platform/clock.ts";
import type { Secrets } from "./secrets.ts";
import type { Queryable } from "./transaction.ts";

/** What every verb of the control API is given. */
export interface CallContext {
  /** Undefined when nobody is logged in. */
  readonly actor: Actor | undefined;
  /** The trusted address of the caller. */
  readonly address: string;
  readonly requestId: string;
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly changes: ChangeFeed;
  readonly logStore: LogStore;
  /** Aborted when the caller disconnects before the answer. Undefined where nobody waits. */
  readonly signal?: AbortSignal;
  /**
   * Stores the answer's `data` for a repeated call, in the transaction of the call's effect. Undefined without an Idempotency-Key. Every
   * call that takes one calls it last in its transaction.
   */
  readonly rememberAnswer?: (transaction: Queryable, data: unknown) => Promise<void>;
}

/** The actor of a call that needs a login. Throws `not-logged-in` without one. */
export function requireActor(context: CallContext): Actor {
  if (context.actor === undefined) throw new AppError("not-logged-in", "Log in first.");
  return context.actor;
}

/** Returns the context of work that no call asks for: without an actor, an address and a log store. */
export function contextOfGateway(
  parts: Omit<CallContext, "actor" | "address" | "requestId" | "logStore">,
): CallContext {
  return { logStore: NO_LOG_STORE, ...parts, actor: undefined, address: "", requestId: "" };
}
