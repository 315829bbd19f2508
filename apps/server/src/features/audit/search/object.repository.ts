import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { sql } from "kysely";
import { containsKeyword } from "../../../core/lists/match-keyword.ts";
import type { Queryable } from "../../../core/transaction.ts";

/** Tables of the audited objects that have a name of their own, by noun. */
const TABLES = {
  user: { table: "users", name: "username" },
  token: { table: "tokens", name: "name" },
  channel: { table: "channels", name: "name" },
  redemption: { table: "redemptions", name: "name" },
  "management-key": { table: "management_keys", name: "name" },
  receiver: { table: "alert_receivers", name: "name" },
  invitation: { table: "invitations", name: "name" },
} as const;

type NamedNoun = keyof typeof TABLES;

export const NAMED_NOUNS = Object.keys(TABLES).filter(isNamedNoun);

function isNamedNoun(noun: string): noun is NamedNoun {
  return Object.hasOwn(TABLES, noun);
}

interface NamedRow {
  readonly id: number;
  readonly name: string;
}

/** The ids and names of the objects that were not deleted. */
export async function nameObjects(
  queryable: Queryable,
  noun: NamedNoun,
  ids: readonly number[],
): Promise<readonly NamedRow[]> {
  const { table, name } = TABLES[noun];
  const { rows } = await sql<NamedRow>`select id, ${sql.ref(name)} as name from ${sql.table(table)}
    where id in (${sql.join(ids)}) and ${isThere(noun)}`.execute(queryable);
  return rows;
}

/** The newest objects whose name contains the word. */
export async function findObjects(
  queryable: Queryable,
  noun: NamedNoun,
  word: string,
  limit: number,
): Promise<readonly NamedRow[]> {
  const { table, name } = TABLES[noun];
  const { rows } = await sql<NamedRow>`select id, ${sql.ref(name)} as name from ${sql.table(table)}
    where ${containsKeyword([name], word)} and ${isThere(noun)} order by id desc limit ${limit}`.execute(queryable);
  return rows;
}

function isThere(noun: NamedNoun) {
  return noun === "user" ? sql`status <> ${USER_STATUS.deleted}` : sql`1 = 1`;
}
