import assert from "node:assert/strict";
import { test } from "node:test";
import { type BudgetPeriod, periodEnd, periodStart } from "./budget.ts";

const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const period = (name: BudgetPeriod, text: string) =>
  [periodStart(name, at(text)), periodEnd(name, at(text))].map((time) =>
    new Date(time * 1000).toISOString().slice(0, 19),
  );

test("days, weeks from Monday and months are those of UTC; their first second belongs to them", () => {
  for (const [name, time, start, end] of [
    ["daily", "2026-03-31T00:00:00", "2026-03-31T00:00:00", "2026-04-01T00:00:00"],
    ["daily", "2026-03-31T23:59:59", "2026-03-31T00:00:00", "2026-04-01T00:00:00"],
    ["weekly", "2026-11-22T23:59:59", "2026-11-16T00:00:00", "2026-11-23T00:00:00"],
    ["weekly", "2026-11-23T00:00:00", "2026-11-23T00:00:00", "2026-11-30T00:00:00"],
    ["weekly", "1970-01-01T00:00:00", "1969-12-29T00:00:00", "1970-01-05T00:00:00"],
    ["monthly", "2028-02-29T12:00:00", "2028-02-01T00:00:00", "2028-03-01T00:00:00"],
    ["monthly", "2026-12-31T23:59:59", "2026-12-01T00:00:00", "2027-01-01T00:00:00"],
  ] as const)
    assert.deepEqual(period(name, time), [start, end], `${name} at ${time}`);
});
