import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { LOG_OUTCOME, outcomeOf } from "@one-api/contract/logs/log-outcome";
import { NO_STEP, stepOf } from "../latency-steps.ts";
import type { ClearedUsage, EntryColumns, Fingerprint, LogChange } from "../source/log-source.ts";
import { type Duck, type DuckConnection, type DuckSettings, openDuck } from "./duck.ts";
import { OutdatedReplicaError } from "./failures.ts";
import { type NameKind, Names } from "./names.ts";
import { ENTRY_TYPES, SCHEMA, SCHEMA_VERSION } from "./schema.ts";
import { SUM_COLUMNS } from "../usage-sums.ts";

/** The rollup is compacted when it has this many times the rows of the last compaction. */
const COMPACT_FACTOR = 4;
const LEAST_ROLLUP_ROWS = 10_000;

/**
 * Free disk space below which no write begins. A checkpoint needs the size of the write-ahead log, and DuckDB ends if it fails; the database shares
 * the disk.
 */
const LEAST_FREE_BYTES = 64 * 1024 ** 2;

const NAME_COLUMNS = [
  "username",
  "token_name",
  "model_name",
  "result",
  "alias",
  "first_model",
] as const satisfies readonly NameKind[];

const ROLLUP_SUMS = ["quota", "cost", "prompt_tokens", "cached_tokens", "completion_tokens"] as const;

/** A change, with the entries that are left in its range. */
export interface AppliedChange extends LogChange {
  readonly left: EntryColumns;
}

/** Usage of some days whose entries were removed; replaces the replica's usage of these days. */
export interface ClearedDays {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly usage: readonly ClearedUsage[];
}

export interface ReplicaStep {
  readonly changes: readonly AppliedChange[];
  readonly cleared: ClearedDays | undefined;
  readonly entries: EntryColumns;
  readonly upTo: number;
  readonly lastChange: number;
  /** The last change in full, as `LogSource.changeText` returns it. */
  readonly changeText: string;
}

/** A copy of the log in a DuckDB file. Each step is one transaction, so entries, rollup, names and watermark always agree. */
export class Replica {
  readonly duck: Duck;
  readonly names = new Names();
  readonly #folder: string;
  #watermark: number;
  #lastChange: number;
  #changeText: string;
  #rollupRows = 0;
  #compactAt = LEAST_ROLLUP_ROWS;

  private constructor(file: string, duck: Duck, { watermark, lastChange, changeText }: ReplicaState) {
    this.duck = duck;
    this.#folder = dirname(file);
    this.#watermark = watermark;
    this.#lastChange = lastChange;
    this.#changeText = changeText;
  }

  /** Opens the file, or makes it. Throws OutdatedReplicaError for a file of another version. */
  static async open(file: string, settings: DuckSettings): Promise<Replica> {
    const duck = await openDuck(file, settings);
    try {
      const replica = new Replica(file, duck, await readState(duck.writer));
      await replica.#measureRollup();
      return replica;
    } catch (error) {
      duck.close();
      throw error;
    }
  }

  /** The last id of the database's log that is in the replica, with all before it. */
  get watermark(): number {
    return this.#watermark;
  }

  get lastChange(): number {
    return this.#lastChange;
  }

  get changeText(): string {
    return this.#changeText;
  }

  close(): void {
    this.duck.close();
  }

  async apply({ changes, cleared, entries, upTo, lastChange, changeText }: ReplicaStep): Promise<void> {
    const { writer } = this.duck;
    await this.#transaction(async () => {
      for (const change of changes) await this.#applyChange(change);
      if (cleared !== undefined) await this.#replaceCleared(cleared);
      await this.#append(entries);
      await this.#addToRollup(this.#watermark + 1, upTo, 1);
      await writer.rows("update state set watermark = $1, last_change = $2, change_text = $3", [
        upTo,
        lastChange,
        changeText,
      ]);
    });
    this.#watermark = upTo;
    this.#lastChange = lastChange;
    this.#changeText = changeText;
    if (this.#rollupRows > this.#compactAt) await this.#compact();
  }

  /** Sums over the entries after an id and up to another one. */
  async fingerprint(after: number, upTo: number): Promise<Fingerprint> {
    const [row = []] = await this.duck.writer.rows(
      `select count(*), ${["id", "created_at", "quota"].map((column) => `coalesce(sum(${column} % 1000000), 0)`).join(", ")}
       from entries where id > $1 and id <= $2`,
      [after, upTo],
    );
    const [entries, ids, times, quota] = row.map(Number);
    return { entries: entries ?? 0, ids: ids ?? 0, times: times ?? 0, quota: quota ?? 0 };
  }

  /** Removes all entries after an id: they are read again. */
  async rewind(to: number): Promise<void> {
    await this.#transaction(async () => {
      await this.#addToRollup(to + 1, this.#watermark, -1);
      await this.duck.writer.rows("delete from entries where id > $1", [to]);
      await this.duck.writer.rows("update state set watermark = $1", [to]);
    });
    this.#watermark = to;
  }

  async #applyChange({ firstId, lastId, left }: AppliedChange): Promise<void> {
    const { writer } = this.duck;
    const last = Math.min(lastId, this.#watermark);
    if (last < firstId) return;
    await this.#addToRollup(firstId, last, -1);
    await writer.rows("delete from entries where id >= $1 and id <= $2", [firstId, last]);
    await this.#append(left);
    await this.#addToRollup(firstId, last, 1);
  }

  async #append(entries: EntryColumns): Promise<void> {
    if (entries.id.length === 0) return;
    const { writer } = this.duck;
    const numbers: Partial<Record<NameKind, number[]>> = {};
    for (const kind of NAME_COLUMNS) numbers[kind] = await this.names.number(writer, kind, entries[kind]);
    const outcomes = entries.id.map((_, row) =>
      outcomeOf({
        type: entries.type[row] ?? 0,
        result: entries.result[row] ?? "",
        status_code: entries.status_code[row] ?? 0,
        cost: entries.cost[row] ?? 0,
      }),
    );
    const isGood = (row: number) => entries.result[row] === "ok";
    await writer.append("entries", ENTRY_TYPES, [
      entries.id,
      entries.created_at,
      entries.type,
      outcomes,
      numbers.result ?? [],
      entries.user_id,
      numbers.username ?? [],
      numbers.token_name ?? [],
      numbers.model_name ?? [],
      numbers.alias ?? [],
      numbers.first_model ?? [],
      entries.channel_id,
      entries.prompt_tokens,
      entries.cached_tokens,
      entries.completion_tokens,
      entries.quota,
      entries.cost.map((cost, row) => (outcomes[row] === LOG_OUTCOME.refund ? 0 : Math.max(0, cost))),
      entries.first_byte_ms.map((ms, row) => (entries.is_stream[row] === 1 ? stepOf(ms) : NO_STEP)),
      entries.elapsed_time.map((ms, row) => (isGood(row) ? stepOf(ms) : NO_STEP)),
      entries.first_byte_ms.map((ms, row) => (entries.is_stream[row] === 1 ? ms : 0)),
      entries.elapsed_time,
      entries.alias_facts,
    ]);
  }

  /** Adds the entries of a range to the rollup, or with -1 subtracts them. */
  async #addToRollup(firstId: number, lastId: number, sign: 1 | -1): Promise<void> {
    await this.duck.writer.rows(
      `insert into half_hours select created_at // 1800, model_name, outcome, ${sumsTimes(sign)}
       from entries where id >= $1 and id <= $2 and outcome < 7 group by 1, 2, 3`,
      [firstId, lastId],
    );
    const [row] = await this.duck.writer.rows("select count(*) from half_hours");
    this.#rollupRows = Number(row?.[0] ?? 0);
  }

  async #replaceCleared({ firstDay, lastDay, usage: cleared }: ClearedDays): Promise<void> {
    await this.duck.writer.rows("delete from cleared where day >= $1 and day <= $2", [firstDay, lastDay]);
    const { writer } = this.duck;
    const column = (name: Exclude<keyof ClearedUsage, "token_name" | "model_name">) => cleared.map((row) => row[name]);
    const named = (kind: "token_name" | "model_name") =>
      this.names.number(
        writer,
        kind,
        cleared.map((row) => row[kind]),
      );
    await writer.append(
      "cleared",
      ["UTINYINT", "BIGINT", "BIGINT", "UINTEGER", "UINTEGER", "BIGINT", ...SUM_COLUMNS.map(() => "BIGINT" as const)],
      [
        column("kind"),
        column("day"),
        column("user_id"),
        await named("token_name"),
        await named("model_name"),
        column("channel_id"),
        ...SUM_COLUMNS.map(column),
      ],
    );
  }

  async #compact(): Promise<void> {
    const { writer } = this.duck;
    const keys = "slot, model_name, outcome";
    const sums = ["n", ...ROLLUP_SUMS].map((column) => `sum(${column})`);
    await this.#transaction(() =>
      writer.run(
        `create temp table compacted as select ${keys}, ${sums.join(", ")} from half_hours group by ${keys}
           having ${sums.map((sum) => `${sum} <> 0`).join(" or ")};
         delete from half_hours; insert into half_hours select * from compacted; drop table compacted`,
      ),
    );
    await this.#measureRollup();
  }

  async #measureRollup(): Promise<void> {
    const [row] = await this.duck.writer.rows(
      "select coalesce(sum(n), 0), count(*) from (select count(*) as n from half_hours group by slot, model_name, outcome)",
    );
    this.#rollupRows = Number(row?.[0] ?? 0);
    this.#compactAt = Math.max(LEAST_ROLLUP_ROWS, Number(row?.[1] ?? 0) * COMPACT_FACTOR);
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    const { writer } = this.duck;
    const { bavail, bsize } = statfsSync(this.#folder);
    if (bavail * bsize < LEAST_FREE_BYTES) throw new Error("Less than 64 MB are free on the disk of the log store.");
    await writer.run("begin");
    try {
      await work();
      await writer.run("commit");
    } catch (error) {
      this.names.forget();
      await rollBack(writer);
      throw error;
    }
  }
}

interface ReplicaState {
  readonly watermark: number;
  readonly lastChange: number;
  readonly changeText: string;
}

const STATE_COLUMNS = ["version", "watermark", "last_change", "change_text"] as const;

async function readState(writer: DuckConnection): Promise<ReplicaState> {
  const columns = await writer.rows("select table_name, column_name from duckdb_columns() where not internal");
  if (columns.length === 0) await writer.run(`begin; ${SCHEMA} commit;`);
  else if (!STATE_COLUMNS.every((name) => columns.some(([table, column]) => table === "state" && column === name)))
    throw new OutdatedReplicaError("The file is no replica of the log.");
  const [state] = await writer.rows(`select ${STATE_COLUMNS.join(", ")} from state`);
  if (state?.[0] !== SCHEMA_VERSION) throw new OutdatedReplicaError("The replica is of another version.");
  return { watermark: Number(state[1]), lastChange: Number(state[2]), changeText: String(state[3]) };
}

function sumsTimes(sign: 1 | -1): string {
  return ["count(*)", ...ROLLUP_SUMS.map((column) => `sum(${column})`)].map((sum) => `${sign} * ${sum}`).join(", ");
}

async function rollBack(writer: DuckConnection): Promise<void> {
  try {
    await writer.run("rollback");
  } catch {
    // Nothing is left to roll back.
  }
}
