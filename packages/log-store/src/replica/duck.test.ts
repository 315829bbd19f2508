import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { temporaryFolder } from "@one-api/database/testing/temporary-folder";
import fc from "fast-check";
import { TEST_SETTINGS } from "../testing/local-log-store.ts";
import { type ColumnType, type Duck, openDuck } from "./duck.ts";

const VALUES: Readonly<Record<ColumnType, fc.Arbitrary<number | string>>> = {
  BIGINT: fc.oneof(
    fc.integer({ min: -5, max: 5 }),
    fc.constantFrom(2 ** 31, 2 ** 32, -(2 ** 31) - 1, -(2 ** 32), 2 ** 32 - 1),
    fc.maxSafeInteger(),
  ),
  UINTEGER: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  UTINYINT: fc.integer({ min: 0, max: 255 }),
  VARCHAR: fc.string({ unit: "grapheme", maxLength: 30 }).filter((text) => text.isWellFormed()),
};

describe("appended rows", () => {
  let duck: Duck;
  before(async () => {
    duck = await openDuck(join(temporaryFolder("one-api-log-store-"), "any.duckdb"), TEST_SETTINGS);
  });
  after(() => duck.close());

  for (const type of ["BIGINT", "UINTEGER", "UTINYINT", "VARCHAR"] as const)
    test(`of the type ${type} are read as they were written`, async () => {
      await duck.writer.run(`create table as_${type} (n bigint, value ${type})`);
      const lists = fc.array(VALUES[type], { maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(lists, async (values) => {
          await duck.writer.run(`delete from as_${type}`);
          await duck.writer.append(`as_${type}`, ["BIGINT", type], [values.map((_, index) => index), values]);
          const rows = await duck.reader.rows(`select value from as_${type} order by n`);
          assert.deepEqual(rows.flat(), values);
        }),
        { numRuns: 50 },
      );
    });

  test("may be more than one chunk", async () => {
    const numbers = Array.from({ length: 5_000 }, (_, index) => index * 2 ** 33);
    await duck.writer.run("create table many (n bigint)");
    await duck.writer.append("many", ["BIGINT"], [numbers]);
    assert.deepEqual((await duck.reader.rows("select n from many order by n")).flat(), numbers);
  });
});
