import type { OpenDatabase } from "@one-api/database/open-database";
import type { LogNamesTable } from "@one-api/database/log-tables";
import { sql } from "kysely";
import type { Rest } from "../../../core/pace.ts";
import { RememberedRows } from "../../../core/remembered-rows.ts";
import type { Queryable } from "../../../core/transaction.ts";
import type { SuggestedColumn } from "../log.repository.ts";
import { LEVEL, VIEW } from "./log-groups.ts";

/** Rows of one statement. */
const NAMES_PER_INSERT = 500;

const VIEW_OF: Readonly<Record<SuggestedColumn, number>> = {
  model_name: VIEW.all,
  token_name: VIEW.token,
  username: VIEW.user,
};
const KINDS = ["model_name", "token_name", "username"] as const satisfies readonly SuggestedColumn[];

/** Names that are in `log_names` for good: nobody removes one. */
const known = new RememberedRows<true>();

/** The names of one new batch. Nearly all are known, and to look each up took PostgreSQL 7 % of all its work with 10,000 users. */
export class NewNames {
  readonly #database: OpenDatabase;
  readonly #added = new Map<string, true>();

  constructor(database: OpenDatabase) {
    this.#database = database;
  }

  /** Writes those of the batch's groups that this process does not know. */
  async add(db: Queryable, batch: number, rest: Rest): Promise<void> {
    for (const kind of KINDS) {
      const unknown = await this.#unknownOf(db, kind, batch);
      const names = [...unknown.values()];
      for (let start = 0; start < names.length; start += NAMES_PER_INSERT) {
        await db
          .insertInto("log_names")
          .values(names.slice(start, start + NAMES_PER_INSERT))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await rest();
      }
      for (const key of unknown.keys()) this.#added.set(key, true);
      await rest();
    }
  }

  /** Says that what was added is committed. */
  keep(): void {
    known.keep(this.#database, this.#added);
  }

  async #unknownOf(db: Queryable, kind: SuggestedColumn, batch: number): Promise<ReadonlyMap<string, LogNamesTable>> {
    const list = this.#database.kind === "sqlite" ? sql`json_group_array` : sql`json_agg`;
    const userId = kind === "username" ? sql`user_id` : sql`0`;
    // As texts, each of which costs a fraction of its names as rows.
    const { rows } = await sql<{ names: string | null; users: string | null }>`
      select cast(${list}(${sql.ref(kind)}) as text) as names, cast(${list}(${userId}) as text) as users from log_groups
      where level = ${sql.lit(LEVEL.batch)} and batch = ${batch} and view = ${sql.lit(VIEW_OF[kind])} and ${sql.ref(kind)} <> ''`.execute(
      db,
    );
    const names = readList(rows[0]?.names);
    const users = readList(rows[0]?.users);
    const all = known.of(this.#database);
    const unknown = new Map<string, LogNamesTable>();
    for (const [index, name] of names.entries()) {
      const user_id = Number(users[index]);
      const key = `${kind} ${user_id} ${String(name)}`;
      if (!all.has(key)) unknown.set(key, { kind, name: String(name), user_id });
    }
    return unknown;
  }
}

function readList(text: string | null | undefined): readonly unknown[] {
  const list: unknown = JSON.parse(text ?? "[]");
  return Array.isArray(list) ? list : [];
}
