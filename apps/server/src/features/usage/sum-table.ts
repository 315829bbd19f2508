import { NO_SUMS, SUM_NAMES, type Sums } from "./usage-sums.ts";

const FIRST_ROOM = 16;

/**
 * Sums by what they are of: a model, the id of a channel or a user, or a user's token as `id/name`. Each sum of all keys stands in one array,
 * which is what adding up many of them takes the least time with.
 */
export class SumTable {
  readonly #rows = new Map<string, number>();
  #columns = SUM_NAMES.map(() => new Float64Array(FIRST_ROOM));

  get size(): number {
    return this.#rows.size;
  }

  add(key: string, sums: Sums): void {
    const row = this.#rowOf(key);
    for (const [index, name] of SUM_NAMES.entries()) addTo(this.#columns[index], row, sums[name]);
  }

  /** Adds what `pack` has made. */
  addPacked(text: string): void {
    const parsed: unknown = JSON.parse(text);
    if (!isList(parsed)) return;
    const [keys, ...columns] = parsed;
    if (!isTexts(keys)) return;
    const rows = keys.map((key) => this.#rowOf(key));
    for (const [index, values] of columns.entries()) if (isList(values)) addAll(this.#columns[index], rows, values);
  }

  addTable(other: SumTable): void {
    const rows = [...other.#rows.keys()].map((key) => this.#rowOf(key));
    for (const [index, values] of other.#columns.entries()) addAll(this.#columns[index], rows, values);
  }

  /** As text: the keys, then each sum of all keys, which is a third as long as an object for each key, and read sooner. */
  pack(): string {
    const lists = this.#columns.map((column) => `[${column.subarray(0, this.size).join()}]`);
    return `[${[JSON.stringify([...this.#rows.keys()]), ...lists].join()}]`;
  }

  /** Each key with its sums. */
  *entries(): Generator<readonly [key: string, sums: Sums]> {
    for (const [key, row] of this.#rows) yield [key, toSums((index) => this.#columns[index]?.[row])];
  }

  /** All of them together. */
  total(): Sums {
    return toSums((index) => this.#columns[index]?.subarray(0, this.size).reduce((total, value) => total + value, 0));
  }

  #rowOf(key: string): number {
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.#rows.size;
    this.#rows.set(key, row);
    if (row === this.#columns[0]?.length) {
      this.#columns = this.#columns.map((column) => {
        const larger = new Float64Array(2 * column.length);
        larger.set(column);
        return larger;
      });
    }
    return row;
  }
}

function addTo(column: Float64Array | undefined, row: number, value: number): void {
  if (column !== undefined) column[row] = (column[row] ?? 0) + value;
}

function addAll(column: Float64Array | undefined, rows: readonly number[], values: ArrayLike<unknown>): void {
  if (column === undefined) return;
  for (let index = 0; index < rows.length; index += 1) {
    const value = values[index];
    if (typeof value === "number") addTo(column, rows[index] ?? 0, value);
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((text) => typeof text === "string");
}

function toSums(valueAt: (index: number) => number | undefined): Sums {
  const sums: Record<keyof Sums, number> = { ...NO_SUMS };
  for (const [index, name] of SUM_NAMES.entries()) sums[name] = valueAt(index) ?? 0;
  return sums;
}
