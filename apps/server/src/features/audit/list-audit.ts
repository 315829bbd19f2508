import type {
  AuditEntry,
  listAudit as listAuditCall,
  listAuditObjects as listObjectsCall,
} from "@one-api/contract/audit";
import type { z } from "zod";
import type { Actor } from "../../core/actor.ts";
import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { type Listed, pageOf } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";
import { presentAuditEntry, presentListedEntry } from "./audit.present.ts";
import { type AuditFilter, countAuditRows, findAuditRow, keepAudited, listAuditRows } from "./audit.repository.ts";
import { matchWords, suggestObjects } from "./search/audit-search.ts";
import { nameObjectsOf } from "./search/name-objects.ts";

type ListInput = z.output<(typeof listAuditCall)["query"]>;

/**
 * One page of the entries that match the filter and that the caller may see, newest first. The total is
 * counted up to 10,000.
 */
export async function listAudit(context: CallContext, query: ListInput): Promise<Listed<AuditEntry>> {
  const actor = requireActor(context);
  const { db } = context.database;
  const filter = await filterOf(db, actor, query);
  const rows = await listAuditRows(db, actor, filter, pageOf(query));
  const names = await nameObjectsOf(db, rows);
  const entries = rows.map((row) => presentListedEntry(row, actor, names));
  return { rows: entries, total: await countAuditRows(db, actor, filter) };
}

export async function filterOf(
  queryable: Queryable,
  actor: Actor,
  { keyword, actions, ...query }: Omit<ListInput, "p" | "size">,
): Promise<AuditFilter> {
  return { ...query, words: await matchWords(queryable, actor, { keyword, actions }) };
}

/** Throws `not-found` for an entry that the caller may not see. */
export async function getAuditEntry(context: CallContext, id: number): Promise<AuditEntry> {
  const actor = requireActor(context);
  const { db } = context.database;
  const row = await findAuditRow(db, actor, id);
  if (row === undefined) throw new AppError("not-found", "There is no such entry in the audit trail, or not any more.");
  return presentAuditEntry(row, actor, await nameObjectsOf(db, [row]));
}

const MOST_SUGGESTED = 30;
const NEWEST_ENTRIES = 200;

/** Objects that have an entry which the caller may see. */
export async function listAuditObjects(
  context: CallContext,
  { keyword }: z.output<(typeof listObjectsCall)["query"]>,
): Promise<z.input<(typeof listObjectsCall)["data"]>> {
  const actor = requireActor(context);
  const { db } = context.database;
  const found = keyword === "" ? await listNewestObjects(db, actor) : await suggestObjects(db, keyword);
  const audited = await keepAudited(
    db,
    actor,
    found.map(({ object }) => object),
  );
  const kept = found.filter(({ object }) => audited.has(object)).slice(0, MOST_SUGGESTED);
  const names = await nameObjectsOf(
    db,
    kept.map(({ object }) => ({ object, via: "" })),
  );
  return kept.map(({ object, name }) => ({ object, name: name === "" ? names.nameOf(object) : name }));
}

export const NO_FILTER: AuditFilter = {
  up_to: 0,
  words: [],
  actor: "",
  kind: "",
  object: "",
  start_timestamp: 0,
  end_timestamp: 0,
};

async function listNewestObjects(queryable: Queryable, actor: Actor) {
  const rows = await listAuditRows(queryable, actor, NO_FILTER, { limit: NEWEST_ENTRIES, offset: 0 });
  return [...new Set(rows.map(({ object }) => object))].map((object) => ({ object, name: "" }));
}
