import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import type { OpenDatabase } from "../open-database.ts";
import { openTestDatabase } from "../test-databases.ts";

let database: OpenDatabase;
before(async () => {
  database = await openTestDatabase("sqlite");
});
after(() => database.close());

for (const view of ["user_balances", "token_balances", "budget_uses"]) {
  test(`${view} reads no more of the log than what no share has subtracted yet`, async () => {
    const { rows } = await sql<{ detail: string }>`explain query plan select * from ${sql.table(view)}`.execute(
      database.db,
    );
    const ofLog = rows.map(({ detail }) => detail).filter((detail) => /\blogs\b/.test(detail));
    assert.notEqual(ofLog.length, 0);
    for (const detail of ofLog) assert.match(detail, /^SEARCH logs USING INTEGER PRIMARY KEY \(rowid>\?\)$/);
  });

  test(`${view} reads that part of the log once, however many accounts there are`, async () => {
    const { rows } = await sql<{ id: number; parent: number; detail: string }>`
      explain query plan select * from ${sql.table(view)}`.execute(database.db);
    const parents = new Map(rows.map(({ id, parent, detail }) => [id, { parent, detail }]));
    for (const { detail, parent } of rows) {
      if (!/\blogs\b/.test(detail)) continue;
      for (let id = parent; id !== 0; id = parents.get(id)?.parent ?? 0)
        assert.doesNotMatch(parents.get(id)?.detail ?? "", /CORRELATED/);
    }
  });
}
