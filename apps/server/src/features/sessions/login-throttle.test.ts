import assert from "node:assert/strict";
import { it } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { countAttempt, forgetFailureCounts } from "./login-throttle.ts";

const NOW = 1_750_000_000;
const TWO_DAYS = 48 * 3600;

eachDatabase((open) => {
  it("removes failures of two days ago, also of unknown names", async (t) => {
    const database = await open();
    t.after(() => database.close());
    const fail = (name: string, now: number) =>
      countAttempt(database, { name, account: name, address: `192.0.2.${now % 250}`, device: undefined, now });
    await fail("nobody", NOW);
    await fail("someone", NOW + 1);
    const left = async () => {
      const rows = await database.db.selectFrom("login_failures").select("subject").orderBy("subject").execute();
      return rows.map(({ subject }) => subject).filter((subject) => subject.startsWith("name:"));
    };
    await forgetFailureCounts(database, NOW + TWO_DAYS - 1);
    assert.deepEqual(await left(), ["name:nobody", "name:someone"]);
    await forgetFailureCounts(database, NOW + TWO_DAYS);
    assert.deepEqual(await left(), ["name:someone"]);
  });

  it("keeps the newest counts within the limit", async (t) => {
    const database = await open();
    t.after(() => database.close());
    const many = Array.from({ length: 12_000 }, (_, index) => ({
      subject: `name:${index}`,
      failures: 9,
      last_failure_at: NOW + index,
      blocked_until: 0,
    }));
    for (let at = 0; at < many.length; at += 1_000)
      await database.db
        .insertInto("login_failures")
        .values(many.slice(at, at + 1_000))
        .execute();
    await forgetFailureCounts(database, NOW, 500);
    const rows = await database.db.selectFrom("login_failures").select("last_failure_at").execute();
    assert.equal(rows.length, 500);
    assert.equal(Math.min(...rows.map((row) => row.last_failure_at)), NOW + 11_500);
  });
});
