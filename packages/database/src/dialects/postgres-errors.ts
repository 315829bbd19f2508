import { DatabaseUnavailableError } from "../database-errors.ts";

/** SQLSTATE is five digits and capitals; names of system errors (EPIPE) begin with E, which no class of SQLSTATE does. */
const SQL_STATE = /^[0-9A-DF-Z][0-9A-Z]{4}$/;
/** Connection exceptions, an operator or a crash ending the connection, and time limits of the server that end it. */
const CONNECTION_LOST = /^(?:08|57P|25P0[34])/;
/**
 * States in which the server refuses this statement and may take it later (postgresql.org/docs/current/errcodes-appendix.html): a login or database
 * that is refused (28, 3D), serialisation failures and deadlocks (40), no room on disk or for clients (53), a lock or statement timeout, failing
 * disks (58), and a server that only reads.
 */
const BUSY_OR_FAILING = /^(?:28|3D|40|53|55P03|57014|58)/;
/** The server only reads: its disk is full at some cloud providers, or it is the standby after a failover. */
const READ_ONLY = "25006";
/** What the driver says without a code: terminated, timed out while connecting, not queryable. */
const DRIVER_LOSS = /connection|timeout|not queryable/i;

/** Whether an error of the driver says that the connection is gone, so that the last statement may or may not have been done. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return CONNECTION_LOST.test(state);
  if (!(error instanceof Error)) return false;
  return ("code" in error && typeof error.code === "string") || DRIVER_LOSS.test(error.message);
}

/** Whether the server only reads, so that another connection may find one that writes. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/** Returns `DatabaseUnavailableError` when PostgreSQL is out of reach, busy or failing, every other error as it is. */
export function namedPostgresError(error: unknown, databaseUrl: string): unknown {
  if (isConnectionLoss(error)) {
    const message = `PostgreSQL at DATABASE_URL (${redactDatabaseUrl(databaseUrl)}) is out of reach: ${reasonOf(error)}`;
    return new DatabaseUnavailableError(message, { cause: error });
  }
  if (!BUSY_OR_FAILING.test(sqlState(error) ?? "") && !isReadOnly(error)) return error;
  return new DatabaseUnavailableError(`PostgreSQL cannot do this now: ${reasonOf(error)}`, { cause: error });
}

/** Returns the address without the password and without options, fit for messages and logs. */
export function redactDatabaseUrl(databaseUrl: string): string {
  // A URL has one host; several stand before the path, with commas between.
  const [, before = "", hosts = "", after = ""] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(databaseUrl) ?? [];
  const address = hosts.includes(",") ? `${before}several${after}` : databaseUrl;
  if (!URL.canParse(address)) return "not a valid address";
  const { protocol, username, host, pathname, searchParams } = new URL(address);
  const shown = hosts.includes(",") ? hosts : host;
  return `${protocol}//${username === "" ? "" : `${username}@`}${searchParams.get("host") ?? shown}${pathname}`;
}

/** Returns the error in words. A host with several addresses has an empty message and its reasons inside. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return SQL_STATE.test(error.code) ? error.code : undefined;
}
