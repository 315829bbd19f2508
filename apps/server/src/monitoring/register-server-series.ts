import { LOG_STORE_STATES, type LogStore } from "@one-api/log-store/log-store";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Registry } from "prom-client";
import { countChannelsByStatus } from "../features/channels/index.ts";
import { awaitDatabase } from "../platform/await-database.ts";
import { type Clock, nowSeconds } from "../platform/clock.ts";
import type { Relay } from "../relay/create-relay.ts";
import type { BalanceCheck } from "./balance-check.ts";
import { type SeriesOf, seriesOf } from "./series.ts";

export interface ServerParts {
  readonly version: string;
  readonly relay: Pick<Relay, "server" | "services" | "cooldowns">;
  readonly database: OpenDatabase;
  readonly canWrite: () => Promise<boolean>;
  readonly logStore: Pick<LogStore, "status">;
  readonly balances: BalanceCheck;
  readonly clock: Clock;
}

const QUERY_MS = 2_000;

export function registerServerSeries(registry: Registry, parts: ServerParts): void {
  const series = seriesOf(registry);
  const { version } = parts;
  series.gauge(
    { name: "one_api_build_info", help: "Version of the gateway and of Node", labelNames: ["version", "node"] },
    () => [[{ version, node: process.version }, 1]],
  );
  registerRunning(series, parts);
  registerLedger(series, parts);
  registerMemory(series, parts);
  registerDatabase(series, parts);
  registerLogStore(series, parts);
  registerChannels(series, parts);
}

function registerRunning({ gauge }: SeriesOf, { relay }: ServerParts): void {
  const { inFlight } = relay.services;
  const value = (name: string, help: string, read: () => number) => gauge({ name, help }, () => [[{}, read()]]);
  value("one_api_requests_in_flight", "Relayed requests that are not settled yet", () => inFlight.size);
  value("one_api_streams_open", "Streams and sessions that pass", () => inFlight.streams);
  value("one_api_stopping", "1 once the server was asked to stop", () => Number(inFlight.isStopping));
}

function registerLedger({ counter, gauge }: SeriesOf, { relay, balances }: ServerParts): void {
  const { server } = relay;
  const kinds = ["user", "token", "budget"] as const;
  gauge({ name: "one_api_ledger_live", help: "1 while the server may reserve quota" }, () => [
    [{}, Number(server.isLive)],
  ]);
  gauge({ name: "one_api_reservations", help: "Requests with reserved quota" }, () => [
    [{}, server.figures().reservations],
  ]);
  counter({ name: "one_api_journal_commits_total", help: "Commits of the journal" }, () => [
    [{}, server.figures().commits],
  ]);
  counter({ name: "one_api_journal_entries_total", help: "Entries in the commits of the journal" }, () => [
    [{}, server.figures().entries],
  ]);
  gauge({ name: "one_api_journal_waiting", help: "Entries that wait for a commit" }, () => [
    [{}, server.figures().waiting],
  ]);
  gauge({ name: "one_api_shares", help: "Shares of accounts that this server has", labelNames: ["kind"] }, () => {
    const { shares } = server.figures();
    return kinds.map((kind) => [{ kind }, shares[kind].count] as const);
  });
  gauge(
    { name: "one_api_shares_free_quota", help: "Quota that requests may reserve from shares", labelNames: ["kind"] },
    () => {
      const { shares } = server.figures();
      return kinds.map((kind) => [{ kind }, shares[kind].free] as const);
    },
  );
  gauge(
    { name: "one_api_ledger_differences", help: "Balances that differ from the ledger, at the last check; must be 0" },
    () => (balances.last === undefined ? [] : [[{}, balances.last.differences]]),
  );
  gauge({ name: "one_api_ledger_check_timestamp_seconds", help: "Time of the last check of the balances" }, () =>
    balances.last === undefined ? [] : [[{}, balances.last.at]],
  );
}

function registerMemory({ gauge }: SeriesOf, { relay }: ServerParts): void {
  const { bodyMemory, answerMemory, sessionMemory } = relay.services;
  const labelNames = ["budget"];
  gauge({ name: "one_api_memory_used_bytes", help: "Memory taken from each memory budget", labelNames }, () => [
    [{ budget: "bodies" }, bodyMemory.taken.all],
    [{ budget: "answers" }, answerMemory.taken],
    [{ budget: "sessions" }, sessionMemory.taken],
  ]);
  gauge({ name: "one_api_memory_limit_bytes", help: "Size of each memory budget", labelNames }, () => [
    [{ budget: "bodies" }, bodyMemory.bytes],
    [{ budget: "answers" }, answerMemory.bytes],
    [{ budget: "sessions" }, sessionMemory.bytes],
  ]);
}

function registerDatabase({ counter, gauge }: SeriesOf, { database, canWrite }: ServerParts): void {
  gauge({ name: "one_api_database_writable", help: "1 while the database accepts writes" }, async () => [
    [{}, Number(await canWrite())],
  ]);
  gauge(
    {
      name: "one_api_database_connections",
      help: "Connections for queries and transactions",
      labelNames: ["state"],
    },
    () => {
      const { open, busy } = database.connections();
      return [
        [{ state: "busy" }, busy],
        [{ state: "idle" }, open - busy],
      ];
    },
  );
  gauge(
    { name: "one_api_database_waiting", help: "Queries and transactions that wait for a connection or a lock" },
    () => [[{}, database.connections().waiting]],
  );
  counter({ name: "one_api_database_failed_writes_total", help: "Writes that the database could not take" }, () => [
    [{}, database.failedWrites()],
  ]);
}

function registerLogStore({ gauge }: SeriesOf, { logStore }: ServerParts): void {
  gauge({ name: "one_api_log_store_state", help: "1 for the state of the log store", labelNames: ["state"] }, () =>
    logStore
      .status()
      .then((status) => LOG_STORE_STATES.map((state) => [{ state }, Number(status.state === state)] as const)),
  );
  gauge(
    {
      name: "one_api_log_store_behind_entries",
      help: "Entries of the log that the replica lacked after its last step",
    },
    async () => [[{}, (await logStore.status()).behind]],
  );
}

function registerChannels({ gauge }: SeriesOf, { database, relay, clock }: ServerParts): void {
  gauge({ name: "one_api_channels", help: "Channels by status", labelNames: ["status"] }, async () => {
    try {
      const counts = await awaitDatabase(countChannelsByStatus(database.db, nowSeconds(clock)), QUERY_MS);
      return counts.map(({ status, count }) => [{ status }, count] as const);
    } catch {
      // A database that does not answer shows in one_api_database_writable.
      return [];
    }
  });
  gauge({ name: "one_api_channels_cooling", help: "Channels that this server leaves out for a while" }, () => [
    [{}, relay.cooldowns.coolingChannels().length],
  ]);
}
