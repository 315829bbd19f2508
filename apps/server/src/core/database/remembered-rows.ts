import type { OpenDatabase } from "@one-api/database/open-database";

/** Some 15 MB. Beyond that all are forgotten, and asked for once more. */
const MOST_REMEMBERED = 100_000;

/** What this process knows of rows that never change once they are committed, by a text that tells them apart; of each database its own. */
export class RememberedRows<Value> {
  readonly #byDatabase = new WeakMap<OpenDatabase, Map<string, Value>>();

  of(database: OpenDatabase): ReadonlyMap<string, Value> {
    return this.#mapOf(database);
  }

  /** To be called once they are committed. */
  keep(database: OpenDatabase, committed: ReadonlyMap<string, Value>): void {
    const all = this.#mapOf(database);
    if (all.size + committed.size > MOST_REMEMBERED) all.clear();
    for (const [key, value] of committed) all.set(key, value);
  }

  #mapOf(database: OpenDatabase): Map<string, Value> {
    const known = this.#byDatabase.get(database);
    if (known !== undefined) return known;
    const all = new Map<string, Value>();
    this.#byDatabase.set(database, all);
    return all;
  }
}
