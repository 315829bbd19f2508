import { findSettledId } from "@one-api/database/find-settled-id";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, sql } from "kysely";
import { SUM_COLUMNS } from "../usage-sums.ts";

const SOURCE_COLUMNS = [
  "id",
  "created_at",
  "type",
  "result",
  "status_code",
  "user_id",
  "username",
  "token_name",
  "model_name",
  "alias",
  "first_model",
  "channel_id",
  "is_stream",
  "prompt_tokens",
  "cached_tokens",
  "completion_tokens",
  "quota",
  "cost",
  "first_byte_ms",
  "elapsed_time",
  "alias_facts",
] as const;

type TextColumn = "result" | "username" | "token_name" | "model_name" | "alias" | "first_model";

export type EntryColumns = {
  readonly [Column in (typeof SOURCE_COLUMNS)[number]]: readonly (Column extends TextColumn ? string : number)[];
};

export interface LogChange {
  readonly id: number;
  readonly firstId: number;
  readonly lastId: number;
  /** Days of these entries, since 1970, UTC. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** Sums over a range of ids, to compare the replica with the database. Each term is less than a million, so that no sum exceeds 2⁵³. */
export interface Fingerprint {
  readonly entries: number;
  readonly ids: number;
  readonly times: number;
  readonly quota: number;
}

export interface ClearedUsage extends Readonly<Record<(typeof SUM_COLUMNS)[number], number>> {
  /** 0: by user, token and model; 1: by channel and model. */
  readonly kind: number;
  /** Days since 1970, UTC. */
  readonly day: number;
  readonly user_id: number;
  readonly token_name: string;
  readonly model_name: string;
  readonly channel_id: number;
}

/** Last change and last entry of the log at one moment. */
export interface SourceEnd {
  /** No entry up to this id will appear any more; undefined while that is unknown. */
  readonly settledId: number | undefined;
  readonly lastChange: number;
}

const BY_ID = sql.raw("order by id");

export class LogSource {
  readonly #database: OpenDatabase;

  constructor(database: OpenDatabase) {
    this.#database = database;
  }

  /** Writers of changes delete or update entries in the same transaction, so all changes read here are committed once the id is settled. */
  async readEnd(): Promise<SourceEnd> {
    const lastChange = await this.lastChange();
    const settledId = await findSettledId(this.#database, "logs");
    const isUnknown = settledId === 0 && (await this.#newestId()) > 0;
    return { settledId: isUnknown ? undefined : settledId, lastChange };
  }

  async lastChange(): Promise<number> {
    const { rows } = await sql<{ last: number }>`select coalesce(max(id), 0) as last from log_changes`.execute(
      this.#db,
    );
    return rows[0]?.last ?? 0;
  }

  /** Returns a change as a text; undefined where it does not exist. After a restore another change may have its id. */
  async changeText(id: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom("log_changes")
      .select(["first_id", "last_id", "created_at"])
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? undefined : `${row.first_id} ${row.last_id} ${row.created_at}`;
  }

  /** Returns the first id after another one; undefined where there is none. */
  async nextId(after: number): Promise<number | undefined> {
    const rows = this.#db.selectFrom("logs").select("id").where("id", ">", after).orderBy("id");
    return (await rows.limit(1).executeTakeFirst())?.id;
  }

  async readEntries(after: number, upTo: number): Promise<EntryColumns> {
    const list = (column: string) =>
      this.#database.kind === "sqlite"
        ? sql`json_group_array(${sql.ref(column)})`
        : sql`coalesce(json_agg(${sql.ref(column)}), '[]')`;
    const { rows } = await sql<Record<string, unknown>>`
      select ${sql.join(SOURCE_COLUMNS.map((column) => sql`${list(column)} as ${sql.ref(column)}`))} from (
        select ${sql.join(SOURCE_COLUMNS.map((column) => sql.ref(column)))} from logs
        where id > ${after} and id <= ${upTo} and hidden = 0 ${BY_ID}) as entries`.execute(this.#db);
    const columns = Object.fromEntries(SOURCE_COLUMNS.map((column) => [column, parseList(rows[0]?.[column])]));
    if (!areColumns(columns)) throw new Error("The database returned entries of the log that are no lists.");
    return columns;
  }

  /** Changes after one and up to another, the oldest first; undefined where some of them were deleted already. */
  async readChanges(after: number, upTo: number): Promise<readonly LogChange[] | undefined> {
    const { rows } = await sql<LogChange>`
      select id, first_id as "firstId", last_id as "lastId", first_day as "firstDay", last_day as "lastDay" from log_changes
      where id > ${after} and id <= ${upTo} order by id`.execute(this.#db);
    const [first] = rows;
    if (first === undefined) return rows;
    const { rows: known } = await sql`select id from log_changes where id <= ${after} limit 1`.execute(this.#db);
    return known.length > 0 || first.id === after + 1 ? rows : undefined;
  }

  async fingerprint(after: number, upTo: number): Promise<Fingerprint> {
    const { rows } = await sql<Fingerprint>`
      select count(*) as entries, ${total("id")} as ids, ${total("created_at")} as times, ${total("quota")} as quota
      from logs where id > ${after} and id <= ${upTo} and hidden = 0`.execute(this.#db);
    const [row] = rows;
    if (row === undefined) throw new Error("The database answered no row to sums of the log.");
    return row;
  }

  /** Usage of these days that was cleared, both inclusive. */
  async readCleared(firstDay: number, lastDay: number): Promise<readonly ClearedUsage[]> {
    const columns = ["kind", "day", "user_id", "token_name", "model_name", "channel_id", ...SUM_COLUMNS];
    const { rows } = await sql<ClearedUsage>`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from cleared_usage
      where kind in (0, 1) and day >= ${firstDay} and day <= ${lastDay}`.execute(this.#db);
    return rows;
  }

  async #newestId(): Promise<number> {
    const row = await this.#db.selectFrom("logs").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
    return row?.id ?? 0;
  }

  get #db(): OpenDatabase["db"] {
    return this.#database.db;
  }
}

function total(column: string): RawBuilder<number> {
  return sql<number>`cast(coalesce(sum(${sql.ref(column)} % 1000000), 0) as bigint)`;
}

/** PostgreSQL's driver has parsed the list already. */
function parseList(list: unknown): unknown {
  return typeof list === "string" ? JSON.parse(list) : list;
}

function areColumns(columns: object): columns is EntryColumns {
  return SOURCE_COLUMNS.every((column) => Array.isArray(Reflect.get(columns, column)));
}
