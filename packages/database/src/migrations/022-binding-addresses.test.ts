import assert from "node:assert/strict";
import { it } from "node:test";
import { connectDatabase } from "../connect-database.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { sampleUser } from "../testing/sample-rows.ts";
import { allMigrations } from "./all-migrations.ts";

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  it(`ties bound ids to the addresses in use on ${kind}`, options, async (t) => {
    const made = await createTestDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    const { db } = database;
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 22),
    );
    const oidc_id = "https://login.example sub";
    const bound = sampleUser({ github_id: "1", lark_id: "ou_1", wechat_id: "wx_1", oidc_id });
    for (const user of [bound, sampleUser()]) await db.insertInto("users").values(user).execute();
    // Cleared, which is the default, and another than the default.
    await db.insertInto("options").values({ key: "GitHubAddress", value: "" }).execute();
    await db.insertInto("options").values({ key: "LarkAddress", value: "https://open.larksuite.com" }).execute();
    await migrate(database);
    const rows = await db
      .selectFrom("users")
      .select(["github_id", "lark_id", "wechat_id", "oidc_id"])
      .orderBy("id")
      .execute();
    assert.deepEqual(rows, [
      {
        github_id: "https://github.com 1",
        lark_id: "https://open.larksuite.com ou_1",
        wechat_id: " wx_1",
        oidc_id,
      },
      { github_id: "", lark_id: "", wechat_id: "", oidc_id: "" },
    ]);
  });
}
