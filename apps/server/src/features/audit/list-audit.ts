import type { AuditEntry, listAudit as listAuditCall } from "@one-api/contract/audit";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { type Listed, pageOf } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";
import { presentAuditEntry, presentListedEntry } from "./audit.present.ts";
import { type AuditRow, countAuditRows, findAuditRow, listAuditRows } from "./audit.repository.ts";

export type NameRows = (queryable: Queryable, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>;

/** The name lookup of each noun, for example `token` for the object `token:12`. */
export type ObjectNames = ReadonlyMap<string, NameRows>;

/**
 * One page of the entries that match the filter and that the caller may see, newest first. The total is
 * counted up to 10,000.
 */
export async function listAudit(
  context: CallContext,
  names: ObjectNames,
  query: z.output<(typeof listAuditCall)["query"]>,
): Promise<Listed<AuditEntry>> {
  const actor = requireActor(context);
  const { db } = context.database;
  const rows = await listAuditRows(db, actor, query, pageOf(query));
  const nameOf = await nameObjects(db, names, rows);
  const entries = rows.map((row) => presentListedEntry(row, actor, nameOf));
  return { rows: entries, total: await countAuditRows(db, actor, query) };
}

/** Throws `not-found` for an entry that the caller may not see. */
export async function getAuditEntry(context: CallContext, names: ObjectNames, id: number): Promise<AuditEntry> {
  const actor = requireActor(context);
  const { db } = context.database;
  const row = await findAuditRow(db, actor, id);
  if (row === undefined) throw new AppError("not-found", "There is no such entry in the audit trail, or not any more.");
  const nameOf = await nameObjects(db, names, [row]);
  return presentAuditEntry(row, actor, nameOf);
}

async function nameObjects(
  queryable: Queryable,
  names: ObjectNames,
  rows: readonly AuditRow[],
): Promise<(object: string) => string> {
  const found = new Map<string, string>();
  for (const [noun, nameRows] of names) {
    const ids = rows.flatMap(({ object, via }) => [...idOf(object, noun), ...idOf(via, noun)]);
    const named = ids.length === 0 ? new Map<number, string>() : await nameRows(queryable, [...new Set(ids)]);
    for (const [id, name] of named) found.set(`${noun}:${id}`, name);
  }
  return (object) => found.get(object) ?? "";
}

function idOf(object: string, noun: string): number[] {
  const id = object.startsWith(`${noun}:`) ? Number(object.slice(noun.length + 1)) : 0;
  return Number.isSafeInteger(id) && id > 0 ? [id] : [];
}
