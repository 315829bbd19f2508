import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";

export interface LogShape {
  readonly rows: number;
  readonly users: number;
  readonly channels: number;
  /** Unix seconds of the first entry, and how long the log goes on. */
  readonly from: number;
  readonly seconds: number;
}

const ROWS_PER_STATEMENT = 20_000;

/**
 * Fills an empty log with entries as the relay writes them: a few users and models have most, and answers take up to
 * ten minutes, so times and ids differ in order. `step` receives the number of rows.
 */
export async function fillLog(database: OpenDatabase, shape: LogShape, step: (rows: number) => void): Promise<void> {
  for (let first = 1; first <= shape.rows; first += ROWS_PER_STATEMENT) {
    const last = Math.min(shape.rows, first + ROWS_PER_STATEMENT - 1);
    await addRows(database, shape, first, last);
    step(last);
  }
}

/** Adds the rows of a range to the log, both inclusive. */
export async function addRows({ kind, db }: OpenDatabase, shape: LogShape, first: number, last: number): Promise<void> {
  const isSqlite = kind === "sqlite";
  // Between 0 and 1, several of each row.
  const luck = sql.raw(isSqlite ? "((random() >> 11) / 9007199254740992.0 + 0.5)" : "random()");
  const numbers = isSqlite
    ? sql`(with recursive counted(n) as (select ${first} union all select n + 1 from counted where n < ${last}) select n from counted)`
    : sql`(select n from generate_series(cast(${first} as bigint), cast(${last} as bigint)) as n)`;
  await sql`
    with drawn as materialized (
      select n, ${luck} as kind, ${luck} as t, ${luck} as r, ${luck} as u, ${luck} as m, ${luck} as d,
        cast(floor(${luck} * 3000) as integer) as p, cast(floor(${luck} * 900) as integer) as c from ${numbers} as numbers
    )
    insert into logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens, cached_tokens, completion_tokens,
      channel_id, request_id, elapsed_time, is_stream, detail, result, status_code,
      cost, first_byte_ms)
    select u, at, case when kind < 0.995 then 2 when kind < 0.998 then 5 else 4 end, '', 'user-' || u,
      case when u % 3 = 0 then 'default' else 'token-' || u || '-' || cast(floor(t * 2) as integer) end,
      'model-' || m, q, p, p / 4, c, 1 + cast(floor(t * t * ${shape.channels - 0.001}) as integer), 'req-' || n || '-0123456789abcdef', 1200, 1,
      '{"end":"complete","upstream_model":"model-' || m || '","attempts":[{"channel":3,"status":200,"failure":"","duration_ms":1180}],"charge":{"rule":"usage","source":"list","model_ratio":1.25,"group_ratio":1,"completion_ratio":4,"terms":[["input",' || p || ',1],["output",' || c || ',4]]}}',
      case when r < 0.95 then 'ok' when r < 0.97 then 'caller-gone' when r < 0.985 then 'refused' else 'provider-limited' end, 200,
      case when m = 25 then -1 else q / 2 end, 250 + p / 10
    from (
      select n, kind, t, r, p, c, p + 4 * c as q, 1 + cast(floor(u * u * u * ${shape.users - 0.001}) as integer) as u,
        1 + cast(floor(m * m * 24.99) as integer) as m,
        ${shape.from} + cast(floor(cast(n as double precision) * ${shape.seconds} / ${shape.rows}) as integer)
          - cast(floor(case when d < 0.98 then d * 20 else (d - 0.98) * 30000 end) as integer) as at
      from drawn
    ) as made`.execute(db);
}
