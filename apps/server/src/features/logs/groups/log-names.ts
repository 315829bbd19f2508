import type { OpenDatabase } from "@one-api/database/open-database";
import type { LogNamesTable } from "@one-api/database/log-tables";
import type { Rest } from "../../../core/work/pace.ts";
import { RememberedRows } from "../../../core/database/remembered-rows.ts";
import type { Queryable } from "../../../core/transaction.ts";
import type { SuggestedColumn } from "../log.repository.ts";
import type { LogLabels } from "../log-filter.ts";

/** Rows of one statement. */
const NAMES_PER_INSERT = 500;

const KINDS = ["model_name", "token_name", "username"] as const satisfies readonly SuggestedColumn[];

/** Names of each kind that are in `log_names` for good: nobody removes one. Usernames stand behind the id of their owner. */
const known: Readonly<Record<SuggestedColumn, RememberedRows<true>>> = {
  model_name: new RememberedRows(),
  token_name: new RememberedRows(),
  username: new RememberedRows(),
};

/** The names of one new batch. Nearly all are known, and to look each up took PostgreSQL 7 % of all its work with 10,000 users. */
export class NewNames {
  readonly #database: OpenDatabase;
  readonly #added = new Map<SuggestedColumn, ReadonlyMap<string, LogNamesTable>>();

  constructor(database: OpenDatabase) {
    this.#database = database;
  }

  /** Writes those of a batch's groups that this process does not know; each kind is read from groups that tell it apart. */
  async add(db: Queryable, groups: Readonly<Record<SuggestedColumn, readonly LogLabels[]>>, rest: Rest): Promise<void> {
    for (const kind of KINDS) {
      const unknown = this.#unknownOf(kind, groups[kind]);
      const names = [...unknown.values()];
      for (let start = 0; start < names.length; start += NAMES_PER_INSERT) {
        await db
          .insertInto("log_names")
          .values(names.slice(start, start + NAMES_PER_INSERT))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await rest();
      }
      this.#added.set(kind, unknown);
    }
  }

  /** Says that what was added is committed. */
  keep(): void {
    for (const [kind, names] of this.#added)
      known[kind].keep(this.#database, new Map([...names.keys()].map((key) => [key, true])));
  }

  #unknownOf(kind: SuggestedColumn, groups: readonly LogLabels[]): ReadonlyMap<string, LogNamesTable> {
    const all = known[kind].of(this.#database);
    const unknown = new Map<string, LogNamesTable>();
    for (const group of groups) {
      const name = group[kind];
      const user_id = kind === "username" ? group.user_id : 0;
      const key = kind === "username" ? `${user_id} ${name}` : name;
      if (name !== "" && !all.has(key)) unknown.set(key, { kind, name, user_id });
    }
    return unknown;
  }
}
