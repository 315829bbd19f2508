import type { ExportFormat } from "@one-api/contract/export-format";
import type { Log } from "@one-api/contract/logs/log";
import { actorIsAdmin } from "../../../core/actor.ts";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import type { Download } from "../../../core/call-registry.ts";
import type { FileExports } from "../../../core/exports/file-exports.ts";
import { jsonLines } from "../../../core/exports/file-lines.ts";
import type { NameChannels } from "../list-logs.ts";
import { presentLog } from "../log.present.ts";
import type { LogFilter } from "../log-filter.ts";
import type { LogRow } from "../log.repository.ts";
import { walkLogs } from "./walk-logs.ts";
import { logTable } from "./write-log-lines.ts";

interface LogExportDeps {
  readonly exports: FileExports;
  readonly nameChannels: NameChannels;
}

/**
 * Exports the matching entries as the caller may see them, newest first.
 * Throws `log-export-running` at the limit of concurrent exports.
 */
export function exportLogs(
  context: CallContext,
  { exports, nameChannels }: LogExportDeps,
  filter: LogFilter,
  format: ExportFormat,
): Promise<Download> {
  const forAdmin = actorIsAdmin(requireActor(context));
  const present = presenterFor(context, nameChannels, forAdmin);
  return exports.open<Log>(context, {
    name: "logs",
    format,
    lines: format === "csv" ? logTable(forAdmin) : jsonLines,
    rows: presentAll(walkLogs(context, filter), present),
    record: async () => {
      if (filter.userId === 0) await recordExport(context, filter, format);
    },
  });
}

async function* presentAll(walk: AsyncIterable<LogRow[]>, present: (rows: readonly LogRow[]) => Promise<Log[]>) {
  for await (const rows of walk) yield await present(rows);
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
function recordExport(context: CallContext, filter: LogFilter, format: ExportFormat): Promise<void> {
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
