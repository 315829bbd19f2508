import assert from "node:assert/strict";
import { it } from "node:test";
import { connectDatabase } from "../connect-database.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { allMigrations } from "./all-migrations.ts";

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  for (const { before, after } of [
    { before: [], after: [] },
    { before: [1, 2, 3], after: [1, 2, 3] },
    { before: [1, 2, 5, 6, 8], after: [1, 2] },
    { before: [3, 4], after: [] },
  ])
    it(
      `keeps of the log's batches ${before.join(", ") || "none"} those before a gap on ${kind}`,
      options,
      async (t) => {
        const made = await createTestDatabase(kind);
        const database = await connectDatabase(made.location);
        t.after(async () => {
          await database.close();
          await made.remove();
        });
        await migrate(
          database,
          allMigrations.filter(({ number }) => number < 47),
        );
        for (const batch of before)
          await database.db
            .insertInto("log_batches")
            .values({ batch, last_id: batch * 10, newest: batch, oldest_bucket: batch })
            .execute();
        await migrate(
          database,
          allMigrations.filter(({ number }) => number < 49),
        );
        const rows = await database.db.selectFrom("log_batches").select("batch").orderBy("batch").execute();
        assert.deepEqual(
          rows.map(({ batch }) => batch),
          after,
        );
      },
    );
}
