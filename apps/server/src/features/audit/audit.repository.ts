import type { exportAudit } from "@one-api/contract/audit";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { z } from "zod";
import { type Actor, actorIsRoot } from "../../core/actor.ts";
import { countRows, type ListPage } from "../../core/lists/list-page.ts";
import { everyCondition } from "../../core/lists/match-keyword.ts";
import type { Queryable } from "../../core/transaction.ts";
import type { WordMatch } from "./search/audit-search.ts";

const AUDIT_COLUMNS = [
  "id",
  "created_at",
  "actor_id",
  "actor_name",
  "actor_role",
  "via",
  "address",
  "request_id",
  "action",
  "object",
  "detail",
] as const;

export type AuditRow = Pick<Selectable<Tables["audit"]>, (typeof AUDIT_COLUMNS)[number]>;

type FilterInput = z.output<(typeof exportAudit)["query"]>;

export interface AuditFilter extends Omit<FilterInput, "format" | "keyword" | "actions"> {
  /** Entries up to this id; 0 for all. */
  readonly up_to: number;
  /** Of each word of the search. */
  readonly words: readonly WordMatch[];
}

const MOST_COUNTED = 10_000;

export function listAuditRows(
  queryable: Queryable,
  reader: Actor,
  filter: AuditFilter,
  { limit, offset }: ListPage,
): Promise<AuditRow[]> {
  return queryable
    .selectFrom("audit")
    .select(AUDIT_COLUMNS)
    .where(matches(reader, filter, offset + limit))
    .orderBy("id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Those of the objects that have an entry which the reader may see: an index lookup for each. */
export async function keepAudited(
  queryable: Queryable,
  reader: Actor,
  objects: readonly string[],
): Promise<ReadonlySet<string>> {
  if (objects.length === 0) return new Set();
  const rows = await queryable
    .selectFrom("audit")
    .select("object")
    .distinct()
    .where("object", "in", objects)
    .where(isFor(reader))
    .execute();
  return new Set(rows.map(({ object }) => object));
}

/** The newest entry of each object: one index lookup for each object. */
export function listNewestOf(queryable: Queryable, objects: readonly string[]): Promise<AuditRow[]> {
  return queryable
    .selectFrom("audit")
    .select(AUDIT_COLUMNS)
    .where(
      "id",
      "in",
      objects.map((object) => sql<number>`(select max(id) from audit where object = ${object})`),
    )
    .execute();
}

/** Times of the newest changes of options in a period (Unix seconds, its end excluded), newest first. */
export async function listOptionChangeTimes(
  queryable: Queryable,
  keys: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  limit: number,
): Promise<number[]> {
  const rows = await queryable
    .selectFrom("audit")
    .select("created_at")
    .where(
      "object",
      "in",
      keys.map((key) => `option:${key}`),
    )
    .where("created_at", ">=", start)
    .where("created_at", "<", end)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ created_at: at }) => at);
}

/** The newest entries of an object, newest first. Not limited to what a reader may see. */
export function listRowsOf(queryable: Queryable, object: string, limit: number): Promise<AuditRow[]> {
  return queryable
    .selectFrom("audit")
    .select(AUDIT_COLUMNS)
    .where("object", "=", object)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** An entry of an object. Not limited to what a reader may see. */
export function findRowOf(queryable: Queryable, object: string, id: number): Promise<AuditRow | undefined> {
  return queryable
    .selectFrom("audit")
    .select(AUDIT_COLUMNS)
    .where("id", "=", id)
    .where("object", "=", object)
    .executeTakeFirst();
}

/** Number of entries that match the filter and that the reader may see, up to 10,000. */
export function countAuditRows(queryable: Queryable, reader: Actor, filter: AuditFilter): Promise<number> {
  const matching = matches(reader, filter, MOST_COUNTED);
  const counted = queryable.selectFrom("audit").select("id").where(matching).limit(MOST_COUNTED);
  return countRows(queryable.selectFrom(counted.as("counted")));
}

export function findAuditRow(queryable: Queryable, reader: Actor, id: number): Promise<AuditRow | undefined> {
  return queryable
    .selectFrom("audit")
    .select(AUDIT_COLUMNS)
    .where("id", "=", id)
    .where(isFor(reader))
    .executeTakeFirst();
}

/** True for the filter's entries, with a search at least for its newest `limit` ones. */
function matches(reader: Actor, filter: AuditFilter, limit: number): Expression<SqlBool> {
  const conditions = [isFor(reader)];
  const add = (isSet: boolean, condition: Expression<SqlBool>) => {
    if (isSet) conditions.push(condition);
  };
  add(filter.up_to > 0, sql<SqlBool>`id <= ${filter.up_to}`);
  add(filter.actor !== "", sql<SqlBool>`lower(actor_name) = lower(cast(${filter.actor} as text))`);
  add(filter.kind !== "", sql<SqlBool>`kind = ${filter.kind}`);
  add(filter.object !== "", sql<SqlBool>`object = ${filter.object}`);
  add(filter.start_timestamp > 0, sql<SqlBool>`created_at >= ${filter.start_timestamp}`);
  add(filter.end_timestamp > 0, sql<SqlBool>`created_at <= ${filter.end_timestamp}`);
  const [narrowest, ...others] = filter.words.toSorted((left, right) => left.length - right.length);
  if (narrowest === undefined) return everyCondition(conditions);
  const either = others.map((matchesOfWord) => sql<SqlBool>`(${sql.join(matchesOfWord, sql` or `)})`);
  return newestOf(narrowest, everyCondition([...conditions, ...either]), limit);
}

/**
 * True for the newest entries that meet a match and the condition. Each match is read in the order of its index, so
 * that a frequent one ends at the limit. An `or` would read and sort all.
 */
function newestOf(matchesOfWord: WordMatch, condition: Expression<SqlBool>, limit: number): Expression<SqlBool> {
  const newest = matchesOfWord.map(
    (match) => sql`select id from (select id from audit where ${match} and ${condition}
      order by id desc limit ${limit}) as matching`,
  );
  return sql<SqlBool>`id in (${sql.join(newest, sql` union `)})`;
}

/**
 * Root sees all entries. Administrators see their own, those about themselves, and those of lower roles
 * unless they concern an equal or higher role.
 */
function isFor(reader: Actor): Expression<SqlBool> {
  if (actorIsRoot(reader)) return sql<SqlBool>`1 = 1`;
  const own = `user:${reader.id}`;
  return sql<SqlBool>`(actor_id = ${reader.id} or object = ${own} or (actor_role < ${reader.role} and object not in
    (select 'user:' || cast(id as text) from users where role >= ${reader.role})))`;
}
