import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { textArray } from "@one-api/database/postgres-arrays";

describe("lists for PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  it("brings every text to the database as it is, whatever stands beside it", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { writeStatement } = database;
    assert.ok(writeStatement);
    const usual = [
      "",
      "NULL",
      "a,b",
      '{"a":"b\\\\c"}',
      "'quoted'",
      '"',
      "\\",
      "{}",
      " padded ",
      "日本",
      "/\u007f\u2028",
    ];
    for (const values of [usual, [], ["\u0001\b\f"], [...usual, "two\nlines\tand\r", "\u001f", "😀"]]) {
      const { rows } = await writeStatement("select unnest($1::text[]) as value", [textArray(values)]);
      assert.deepEqual(
        rows.map(({ value }) => value),
        values,
      );
    }
  });
});
