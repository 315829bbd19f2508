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

/** Exports that one server makes at a time, and those of one user. */
const MOST_EXPORTS = 6;
const MOST_OF_A_USER = 2;

/** What exports need beside their call. */
interface LogExportsDeps {
  readonly nameChannels: NameChannels;
  readonly isStopping: () => boolean;
}

/** Writes entries of the log to files of their readers. */
export interface LogExports {
  /**
   * The entries that the filter leaves, newest first, as the caller may see them. Throws `log-export-running` while the caller or this server has
   * enough to write.
   */
  open(context: CallContext, filter: LogFilter, format: LogExportFormat): Promise<Download>;
}

/** Builds the exports of one server. */
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
        // A file that ends early must not look whole: the error breaks the connection.
        if (isStopping()) throw new AppError("unavailable", "The server stops. Export again in a moment.");
        const tookMs = performance.now() - beganMs;
        if (text !== "") yield text;
        // At most half of the time goes into an export, so that other calls have theirs.
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
      // Whether there is room shows before anything has left.
      const first = await pieces.next();
      try {
        if (filter.userId === 0) await noteExport(context, filter, format);
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

/** What was begun, with its first piece. It is begun already, so that ending it gives back what it holds even when nobody reads. */
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

/** Returns what presents rows; names of channels are asked for once. */
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

/** Who took everybody's entries out of the gateway is for the audit trail; the own ones are nobody's business. */
function noteExport(context: CallContext, filter: LogFilter, format: LogExportFormat): Promise<void> {
  const { userId: _userId, ...asked } = filter;
  const set = Object.entries(asked).filter(([, value]) => value !== 0 && value !== "");
  const detail = { format, ...Object.fromEntries(set) };
  return recordAudit(context.database.db, context, { action: "log.export", object: "log", detail });
}

function busy(): AppError {
  return new AppError("log-export-running", "Enough exports are running. Wait until one of them has ended.");
}
