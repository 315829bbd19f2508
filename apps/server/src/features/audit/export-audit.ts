import type { AuditEntry, exportAudit as exportAuditCall } from "@one-api/contract/audit";
import type { z } from "zod";
import type { Actor } from "../../core/actor.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { Download } from "../../core/call-registry.ts";
import type { FileExports } from "../../core/exports/file-exports.ts";
import { type FileColumn, jsonLines, tableLines } from "../../core/exports/file-lines.ts";
import type { Queryable } from "../../core/transaction.ts";
import { presentAuditEntry } from "./audit.present.ts";
import { type AuditFilter, listAuditRows } from "./audit.repository.ts";
import { filterOf, NO_FILTER } from "./list-audit.ts";
import { nameObjectsOf } from "./search/name-objects.ts";

const ROWS_PER_READ = 100;

const COLUMNS: readonly FileColumn<AuditEntry>[] = [
  ["id", ({ id }) => id],
  ["time", (entry) => new Date(entry.created_at * 1_000).toISOString()],
  ["actor_name", (entry) => entry.actor_name],
  ["actor_id", (entry) => entry.actor_id],
  ["actor_role", (entry) => entry.actor_role],
  ["via", ({ via }) => via],
  ["via_name", (entry) => entry.via_name],
  ["address", ({ address }) => address],
  ["request_id", (entry) => entry.request_id],
  ["action", ({ action }) => action],
  ["object", ({ object }) => object],
  ["object_name", (entry) => entry.object_name],
  ["details", ({ details }) => JSON.stringify(details)],
];

type ExportInput = z.output<(typeof exportAuditCall)["query"]>;

/** Exports the entries that the caller's list would have, with all details. Throws `log-export-running`. */
export async function exportAudit(context: CallContext, exports: FileExports, query: ExportInput): Promise<Download> {
  const { format, ...filters } = query;
  const actor = requireActor(context);
  const { db } = context.database;
  const [newest] = await listAuditRows(db, actor, NO_FILTER, { limit: 1, offset: 0 });
  const filter = await filterOf(db, actor, { ...filters, up_to: newest?.id ?? 0 });
  return exports.open<AuditEntry>(context, {
    name: "audit",
    format,
    lines: format === "csv" ? tableLines(COLUMNS) : jsonLines,
    rows: walkAudit(db, actor, filter),
    record: () => recordAudit(db, context, { action: "audit.export", object: "audit", detail: detailOf(query) }),
  });
}

/** All matching entries, newest first. Later entries are not included. */
async function* walkAudit(queryable: Queryable, actor: Actor, filter: AuditFilter): AsyncGenerator<AuditEntry[]> {
  let upTo = filter.up_to;
  for (;;) {
    const rows = await listAuditRows(queryable, actor, { ...filter, up_to: upTo }, { limit: ROWS_PER_READ, offset: 0 });
    const names = await nameObjectsOf(queryable, rows);
    yield rows.map((row) => presentAuditEntry(row, actor, names));
    upTo = (rows.at(-1)?.id ?? 1) - 1;
    if (rows.length < ROWS_PER_READ || upTo < 1) return;
  }
}

function detailOf({ actions: _actions, ...asked }: ExportInput): Record<string, unknown> {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== "" && value !== 0));
}
