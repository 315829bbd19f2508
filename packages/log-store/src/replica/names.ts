import type { DuckConnection } from "./duck.ts";

/** Columns whose texts the replica stores as numbers. */
export const NAME_KINDS = { username: 0, token_name: 1, model_name: 2, result: 3, alias: 4, first_model: 5 } as const;

export type NameKind = keyof typeof NAME_KINDS;

const MOST_CACHED = 50_000;

/** Numbers of names. An empty name is 0; others are numbered from 1 for each kind. */
export class Names {
  readonly #cached = new Map<NameKind, Map<string, number>>();
  readonly #last = new Map<NameKind, number>();

  /** Returns the number of a name; undefined for one that no entry has. */
  async find(connection: DuckConnection, kind: NameKind, name: string): Promise<number | undefined> {
    if (name === "") return 0;
    return this.#cached.get(kind)?.get(name) ?? (await lookUp(connection, kind, [name])).get(name);
  }

  /** Returns the numbers of names, with new numbers for new names. Call `forget` when the transaction is rolled back. */
  async number(writer: DuckConnection, kind: NameKind, names: readonly string[]): Promise<number[]> {
    const cached = this.#cacheOf(kind);
    const missing = [...new Set(names)].filter((name) => name !== "" && !cached.has(name));
    if (missing.length > 0) {
      for (const [name, id] of await lookUp(writer, kind, missing)) cached.set(name, id);
      await this.#add(
        writer,
        kind,
        missing.filter((name) => !cached.has(name)),
      );
    }
    const numbers = names.map((name) => (name === "" ? 0 : (cached.get(name) ?? 0)));
    if (cached.size > MOST_CACHED) this.#cached.delete(kind);
    return numbers;
  }

  forget(): void {
    this.#cached.clear();
    this.#last.clear();
  }

  async #add(writer: DuckConnection, kind: NameKind, names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const first = (await this.#lastOf(writer, kind)) + 1;
    const cached = this.#cacheOf(kind);
    for (const [index, name] of names.entries()) cached.set(name, first + index);
    this.#last.set(kind, first + names.length - 1);
    const ids = names.map((_, index) => first + index);
    await writer.append("names", ["UTINYINT", "UINTEGER", "VARCHAR"], [ids.map(() => NAME_KINDS[kind]), ids, names]);
  }

  async #lastOf(writer: DuckConnection, kind: NameKind): Promise<number> {
    const known = this.#last.get(kind);
    if (known !== undefined) return known;
    const [row] = await writer.rows("select coalesce(max(id), 0) from names where kind = $1", [NAME_KINDS[kind]]);
    return Number(row?.[0] ?? 0);
  }

  #cacheOf(kind: NameKind): Map<string, number> {
    const cached = this.#cached.get(kind) ?? new Map<string, number>();
    this.#cached.set(kind, cached);
    return cached;
  }
}

async function lookUp(
  connection: DuckConnection,
  kind: NameKind,
  names: readonly string[],
): Promise<Map<string, number>> {
  const rows = await connection.rows(
    "select name, id from names where kind = $1 and name in (select unnest($2::varchar[]))",
    [NAME_KINDS[kind], names],
  );
  return new Map(rows.map(([name, id]) => [String(name), Number(id)]));
}
