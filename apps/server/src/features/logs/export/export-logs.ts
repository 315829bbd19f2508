import type { Log, LogExportFormat } from "@one-api/contract/logs/log";
import { setTimeout as wait } from "node:timers/promises";
import { actorIsAdmin } from "../../../core/actor.ts";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import type { Download } from "../../../core/call-registry.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { NameChannels } from "../list-logs.ts";
import { presentLog } from "../log.present.ts";
import type { LogFilter } from "../log-filter.ts";
import type { LogRow } from "../log.repository.ts";
import { walkLogs } from "./walk-logs.ts";
import { jsonLines, type LogLines, tableLines } from "./write-log-lines.ts";

const MOST_EXPORTS = 6;
const MOST_OF_A_USER = 2;

interface LogExportsDeps {
  readonly nameChannels: NameChannels;
  readonly isStopping: () => boolean;
}

export interface LogExports {
  /**
   * Exports the matching entries as the caller may see them, newest first.
   * Throws `log-export-running` at the limit of concurrent exports.
   */
  open(context: CallContext, filter: LogFilter, format: LogExportFormat): Promise<Download>;
}

export function createLogExports({ nameChannels, isStopping }: LogExportsDeps): LogExports {
  const running: number[] = [];
  async function* write(context: CallContext, filter: LogFilter, lines: LogLines): AsyncGenerator<string> {
    const actor = requireActor(context);
    const present = presenterFor(context, nameChannels, actorIsAdmin(actor));
    if (running.length >= MOST_EXPORTS || running.filter((id) => id === actor.id).length >= MOST_OF_A_USER)
      throw busy();
    running.push(actor.id);
    try {
      yield lines.head;
      let beganMs = performance.now();
      for await (const rows of walkLogs(context, filter)) {
        const text = (await present(rows)).map((log) => lines.line(log)).join("");
        // The error breaks the connection, so that an incomplete file does not look complete.
        if (isStopping()) throw new AppError("unavailable", "The server stops. Export again in a moment.");
        const tookMs = performance.now() - beganMs;
        if (text !== "") yield text;
        // Pauses for half of the time, so that other calls are served.
        await wait(Math.max(1, tookMs));
        beganMs = performance.now();
      }
    } finally {
      running.splice(running.indexOf(actor.id), 1);
    }
  }
  return {
    async open(context, filter, format) {
      const forAdmin = actorIsAdmin(requireActor(context));
      const lines = format === "csv" ? tableLines(forAdmin) : jsonLines;
      const pieces = write(context, filter, lines);
      // Starts the export, so that a refusal comes before the first byte.
      const first = await pieces.next();
      try {
        if (filter.userId === 0) await recordExport(context, filter, format);
      } catch (error) {
        await pieces.return(undefined);
        throw error;
      }
      const day = new Date(nowSeconds(context.clock) * 1_000).toISOString().slice(0, 10);
      return {
        contentType: lines.contentType,
        fileName: `logs-${day}.${format}`,
        pieces: beginningWith(first, pieces),
      };
    },
  };
}

/**
 * The running export with its first piece. It has started already, so `return` frees its slot even if it is
 * never read.
 */
function beginningWith(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncIterable<string> {
  let waiting: IteratorResult<string> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const piece = waiting;
        waiting = undefined;
        return piece ?? rest.next();
      },
      return: () => rest.return(undefined),
    }),
  };
}

function presenterFor({ database }: CallContext, nameChannels: NameChannels, forAdmin: boolean) {
  const names = new Map<number, string>();
  return async (rows: readonly LogRow[]): Promise<Log[]> => {
    const ids = forAdmin ? new Set(rows.map((row) => row.channel_id)) : new Set<number>();
    const unknown = [...ids].filter((id) => id !== 0 && !names.has(id));
    if (unknown.length > 0) {
      const found = await nameChannels(database.db, unknown);
      for (const id of unknown) names.set(id, found.get(id) ?? "");
    }
    return rows.map((row) => presentLog(row, forAdmin, names));
  };
}

/** Only exports of all users' entries are recorded in the audit trail. */
function recordExport(context: CallContext, filter: LogFilter, format: LogExportFormat): Promise<void> {
  const asked = {
    type: filter.types.join(", "),
    tokenName: filter.tokenNames.join(", "),
    modelName: filter.modelNames.join(", "),
    username: filter.usernames.join(", "),
    channelId: filter.channelIds.join(", "),
    result: filter.results.join(", "),
    startTimestamp: filter.startTimestamp,
    endTimestamp: filter.endTimestamp,
  };
  const set = Object.entries(asked).filter(([, value]) => value !== 0 && value !== "");
  const detail = { format, ...Object.fromEntries(set) };
  return recordAudit(context.database.db, context, { action: "log.export", object: "log", detail });
}

function busy(): AppError {
  return new AppError("log-export-running", "Enough exports are running. Wait until one of them has ended.");
}
