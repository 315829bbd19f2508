import assert from "node:assert/strict";
import { it } from "node:test";
import { connectDatabase } from "../connect-database.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { allMigrations } from "./all-migrations.ts";

const [ALL, USER, TOKEN, CHANNEL] = [0, 1, 2, 3];
interface LogGroupsTable {
  level: number;
  batch: number;
  view: number;
  user_id: number;
  username: string;
  token_name: string;
  model_name: string;
  channel_id: number;
  type: number;
  result: string;
  bucket: number;
  entries: number;
  quota: number;
  tokens: number;
  ids: string;
}

/** What groups share here. */
const GROUP = { batch: 1, username: "", token_name: "", model_name: "m", type: 2, result: "ok", bucket: 0, tokens: 1 };

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  it(`tells channels of the log apart where they are looked for on ${kind}`, options, async (t) => {
    const made = await createTestDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 39),
    );
    const group = (level: number, view: number, channel_id: number, entries: number, ids: string) => {
      const user_id = view === USER ? 7 : 0;
      return { ...GROUP, level, view, user_id, channel_id, entries, quota: 10 * entries, ids };
    };
    const old = [
      group(0, ALL, 5, 2, "1,3"),
      group(0, ALL, 6, 1, "2"),
      group(0, USER, 5, 2, "1,3"),
      group(0, USER, 6, 1, "2"),
      ...[ALL, USER, TOKEN].flatMap((view) => [5, 6, 0].map((channel) => group(1, view, channel, channel + 1, ""))),
    ];
    const db = database.db.withTables<{ log_groups: LogGroupsTable }>();
    await db.insertInto("log_groups").values(old).execute();
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 42),
    );
    const rows = await db
      .selectFrom("log_groups")
      .select(["level", "view", "user_id", "channel_id", "entries", "quota", "tokens", "ids"])
      .orderBy("level")
      .orderBy("view")
      .orderBy("channel_id")
      .orderBy("entries")
      .execute();
    const kept = rows.map(({ ids, ...row }) => [...Object.values(row), ids.split(",").toSorted().join()]);
    assert.deepEqual(kept, [
      [0, ALL, 0, 0, 3, 30, 2, "1,2,3"],
      [0, USER, 7, 5, 2, 20, 1, "1,3"],
      [0, USER, 7, 6, 1, 10, 1, "2"],
      [0, CHANNEL, 0, 5, 2, 20, 1, "1,3"],
      [0, CHANNEL, 0, 6, 1, 10, 1, "2"],
      [1, ALL, 0, 0, 14, 140, 3, ""],
      [1, USER, 7, 0, 1, 10, 1, ""],
      [1, USER, 7, 0, 13, 130, 2, ""],
      [1, TOKEN, 0, 0, 1, 10, 1, ""],
      [1, TOKEN, 0, 0, 13, 130, 2, ""],
      [1, CHANNEL, 0, 0, 1, 10, 1, ""],
      [1, CHANNEL, 0, 5, 6, 60, 1, ""],
      [1, CHANNEL, 0, 6, 7, 70, 1, ""],
    ]);
  });
}
