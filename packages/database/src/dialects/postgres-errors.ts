import { DatabaseUnavailableError } from "../database-errors.ts";

/** SQLSTATE is five digits and capitals. System errors (EPIPE) begin with E, unlike any class of SQLSTATE. */
const SQL_STATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/;
/** Connection exceptions, an operator or a crash that ends the connection, and time limits of the server that do. */
const CONNECTION_LOST = /^(?:08|57P|25P0[34])/;
/**
 * States in which a retry may succeed (postgresql.org/docs/current/errcodes-appendix.html): login or database refused
 * (28, 3D), serialisation failure or deadlock (40), out of resources (53), time limits, failing disk (58).
 */
const BUSY_OR_FAILING = /^(?:28|3D|40|53|55P03|57014|58)/;
/** Read-only server: a full disk at some cloud providers, or a standby after a failover. */
const READ_ONLY = "25006";
/** Driver messages without a code: terminated, connection timeout, not queryable. */
const DRIVER_LOSS = /connection|timeout|not queryable/i;

/** True if the connection is lost, so that the last statement may or may not have run. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return CONNECTION_LOST.test(state);
  if (!(error instanceof Error)) return false;
  return ("code" in error && typeof error.code === "string") || DRIVER_LOSS.test(error.message);
}

/** True if another connection may find a server that accepts writes. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/** Lock not available in time, and deadlock. */
const LOCK_FAILED = /^(?:55P03|40P01)$/;

/** True if the error, or its cause, is that others hold a lock. */
export function isLockFailure(error: unknown): boolean {
  if (LOCK_FAILED.test(sqlState(error) ?? "")) return true;
  return error instanceof Error && isLockFailure(error.cause);
}

/** Returns `DatabaseUnavailableError` if PostgreSQL is unreachable, busy or failing; other errors unchanged. */
export function namedPostgresError(error: unknown, databaseUrl: string): unknown {
  if (isConnectionLoss(error)) {
    const message = `PostgreSQL at DATABASE_URL (${redactDatabaseUrl(databaseUrl)}) is out of reach: ${reasonOf(error)}`;
    return new DatabaseUnavailableError(message, { cause: error });
  }
  if (!BUSY_OR_FAILING.test(sqlState(error) ?? "") && !isReadOnly(error)) return error;
  return new DatabaseUnavailableError(`PostgreSQL cannot do this now: ${reasonOf(error)}`, { cause: error });
}

/** Returns the address without password and options, for messages and logs. */
export function redactDatabaseUrl(databaseUrl: string): string {
  // A URL has one host; DATABASE_URL may list several, comma-separated.
  const [, before = "", hosts = "", after = ""] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(databaseUrl) ?? [];
  const address = hosts.includes(",") ? `${before}several${after}` : databaseUrl;
  if (!URL.canParse(address)) return "not a valid address";
  const { protocol, username, host, pathname, searchParams } = new URL(address);
  const shown = hosts.includes(",") ? hosts : host;
  return `${protocol}//${username === "" ? "" : `${username}@`}${searchParams.get("host") ?? shown}${pathname}`;
}

/** Returns an error's message. That of a host with several addresses is empty, and its reasons are nested. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return SQL_STATE.test(error.code) ? error.code : undefined;
}
