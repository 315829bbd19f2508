import { isList } from "../../core/database/read-rows.ts";
import { FIRST_BYTE_STEPS, type FirstBytes, NO_FIRST_BYTES } from "./first-bytes.ts";
import { NO_SUMS, SUM_NAMES, type SumName, type Sums } from "./usage-sums.ts";

const FIRST_ROOM = 16;

/** Where the column of each sum stands. */
const COLUMN_OF = new Map<SumName, number>(SUM_NAMES.map((name, index) => [name, index]));
/** Behind them stand those of the steps of time, in tables that have any. */
const FIRST_STEP = SUM_NAMES.length;

/** How the numbers of a column are stored: as many bytes each as the largest needs. The text of a column begins with their number. */
const STORES = [
  { bytes: 1, most: 127, Store: Int8Array },
  { bytes: 2, most: 32_767, Store: Int16Array },
  { bytes: 4, most: 2_147_483_647, Store: Int32Array },
  { bytes: 8, most: Number.POSITIVE_INFINITY, Store: Float64Array },
] as const;

/** What sums are of: a model's name, the id of a channel or a user, or the number of a user's token (its text, `id/name`, while it has none). */
export type SumKey = string | number;

/** What a row is worth, by its sums and how long its streams took. */
type Worth = (sumOf: (name: SumName) => number, firstBytes: () => FirstBytes) => number;

/** A row that may be among the largest. */
interface Candidate {
  readonly key: SumKey;
  readonly row: number;
  /** What decides, the first that differs first. */
  readonly worths: readonly [number, number, number];
}

/** Sums by what they are of. Each sum of all keys stands in one array, which is what adding up many of them takes the least time with. */
export class SumTable {
  readonly #rows = new Map<SumKey, number>();
  #columns = SUM_NAMES.map(() => new Float64Array(FIRST_ROOM));

  get size(): number {
    return this.#rows.size;
  }

  add(key: SumKey, sums: Sums): void {
    const row = this.#rowOf(key);
    for (const [index, name] of SUM_NAMES.entries()) addTo(this.#columns[index], row, sums[name]);
    const { firstBytes } = sums;
    if (firstBytes.length > 0) this.#widen();
    for (let step = 0; step < firstBytes.length; step += 1) {
      const count = firstBytes[step] ?? 0;
      if (count !== 0) addTo(this.#columns[FIRST_STEP + step], row, count);
    }
  }

  /** Adds sums in the order of their names. */
  addValues(key: SumKey, values: readonly number[]): void {
    const row = this.#rowOf(key);
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] ?? 0;
      if (value !== 0) addTo(this.#columns[index], row, value);
    }
  }

  /** Adds so much to each of these steps of time, of a key that is there. */
  addSteps(key: SumKey, steps: readonly number[], count: number): void {
    if (steps.length === 0) return;
    this.#widen();
    const row = this.#rowOf(key);
    for (const step of steps) addTo(this.#columns[FIRST_STEP + step], row, count);
  }

  /** Adds what `pack` has made, or the lists of numbers that older versions made in its place. */
  addPacked(text: string): void {
    const parsed: unknown = JSON.parse(text);
    if (!isList(parsed)) return;
    const [stored, ...columns] = parsed;
    const keys = readKeys(stored);
    const rows = this.#rowsOf(keys);
    if (columns.length > FIRST_STEP) this.#widen();
    for (const [index, column] of columns.entries()) {
      if (typeof column === "string") addAll(this.#columns[index], rows, readColumn(column));
      else if (isList(column)) addAll(this.#columns[index], rows, Float64Array.from(column, Number));
    }
  }

  addTable(other: SumTable): void {
    const rows = this.#rowsOf([...other.#rows.keys()]);
    if (other.#columns.length > FIRST_STEP) this.#widen();
    for (const [index, values] of other.#columns.entries()) addAll(this.#columns[index], rows, values);
  }

  /** As texts with at most so many keys each: the keys, then each sum of all keys, empty where all are 0. */
  *pack(keysPerText: number): Generator<string> {
    const keys = [...this.#rows.keys()];
    for (let first = 0; first < keys.length; first += keysPerText) {
      const last = first + keysPerText;
      yield JSON.stringify([
        writeKeys(keys.slice(first, last)),
        ...this.#columns.map((column) => writeColumn(column.subarray(first, Math.min(last, keys.length)))),
      ]);
    }
  }

  /** Each key with its sums. */
  *entries(): Generator<readonly [key: SumKey, sums: Sums]> {
    for (const [key, row] of this.#rows) yield [key, this.#sumsAt(row)];
  }

  /**
   * The so many keys that are worth most, with their sums, the first first; among those of the same worth the ones that were charged more, then those
   * that were asked for more often. Sums are looked up by name, so that nothing is made of the many rows that are not among them.
   */
  largest(count: number, worth: Worth): (readonly [key: SumKey, sums: Sums])[] {
    let row = 0;
    const sumOf = (name: SumName) => this.#columns[COLUMN_OF.get(name) ?? 0]?.[row] ?? 0;
    const firstBytes = () => this.#columns.slice(FIRST_STEP).map((column) => column[row] ?? 0);
    const best: Candidate[] = [];
    for (const [key, ofKey] of this.#rows) {
      row = ofKey;
      const candidate = { key, row, worths: [worth(sumOf, firstBytes), sumOf("quota"), sumOf("requests")] as const };
      let at = best.length;
      while (at > 0 && isWorthMore(candidate, best[at - 1])) at -= 1;
      if (at >= count) continue;
      best.splice(at, 0, candidate);
      if (best.length > count) best.pop();
    }
    return best.map((one) => [one.key, this.#sumsAt(one.row)]);
  }

  /** Those of one key; nothing of one that is not there. */
  sumsOf(key: SumKey): Sums {
    const row = this.#rows.get(key);
    return row === undefined ? NO_SUMS : this.#sumsAt(row);
  }

  /** All of them together. */
  total(): Sums {
    return this.#toSums((column) => column.subarray(0, this.size).reduce((total, value) => total + value, 0));
  }

  #sumsAt(row: number): Sums {
    return this.#toSums((column) => column[row] ?? 0);
  }

  #toSums(valueOf: (column: Float64Array) => number): Sums {
    const values = this.#columns.map(valueOf);
    const steps = values.slice(FIRST_STEP);
    const sums: Record<SumName, number> & Pick<Sums, "firstBytes"> = {
      ...NO_SUMS,
      firstBytes: steps.length === 0 ? NO_FIRST_BYTES : steps,
    };
    for (const [index, name] of SUM_NAMES.entries()) sums[name] = values[index] ?? 0;
    return sums;
  }

  #widen(): void {
    const room = this.#columns[0]?.length ?? FIRST_ROOM;
    while (this.#columns.length < FIRST_STEP + FIRST_BYTE_STEPS) this.#columns.push(new Float64Array(room));
  }

  /** The row of each key. A loop, as `from` with a function takes several times as long: it is most of what a long answer costs. */
  #rowsOf(keys: ArrayLike<SumKey>): Uint32Array {
    const rows = new Uint32Array(keys.length);
    for (let index = 0; index < keys.length; index += 1) rows[index] = this.#rowOf(keys[index] ?? "");
    return rows;
  }

  #rowOf(key: SumKey): number {
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

/** The sums of all tables together. */
export function addTables(tables: readonly SumTable[]): SumTable {
  const all = new SumTable();
  for (const table of tables) all.addTable(table);
  return all;
}

function isWorthMore({ worths: [worth, quota, requests] }: Candidate, than: Candidate | undefined): boolean {
  if (than === undefined) return false;
  const [otherWorth, otherQuota, otherRequests] = than.worths;
  return (worth - otherWorth || quota - otherQuota || requests - otherRequests) > 0;
}

/** Keys that are numbers are stored like sums. */
function writeKeys(keys: readonly SumKey[]): string | readonly SumKey[] {
  const areNumbers = keys.every((key) => typeof key === "number") && keys.some((key) => key !== 0);
  return areNumbers ? writeColumn(Float64Array.from(keys, Number)) : keys;
}

function readKeys(stored: unknown): ArrayLike<SumKey> {
  if (typeof stored === "string") return readColumn(stored);
  return isKeys(stored) ? stored : [];
}

function writeColumn(values: Float64Array): string {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  const store = STORES.find((one) => most <= one.most);
  if (most === 0 || store === undefined) return "";
  const { buffer } = new store.Store(values);
  return `${store.bytes}${Buffer.from(buffer).toString("base64")}`;
}

function readColumn(text: string): ArrayLike<number> {
  const store = STORES.find(({ bytes }) => String(bytes) === text[0]);
  if (store === undefined) return [];
  const bytes = Buffer.from(text.slice(1), "base64");
  return new store.Store(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function addTo(column: Float64Array | undefined, row: number, value: number): void {
  if (column !== undefined) column[row] = (column[row] ?? 0) + value;
}

function addAll(column: Float64Array | undefined, rows: Uint32Array, values: ArrayLike<number>): void {
  if (column === undefined) return;
  const count = Math.min(rows.length, values.length);
  for (let index = 0; index < count; index += 1) {
    const row = rows[index] ?? 0;
    column[row] = (column[row] ?? 0) + (values[index] ?? 0);
  }
}

function isKeys(list: unknown): list is readonly SumKey[] {
  return Array.isArray(list) && list.every((key) => typeof key === "string" || typeof key === "number");
}
