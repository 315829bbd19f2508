import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { DatabaseUnavailableError } from "@one-api/database/database-errors";
import { z } from "zod";
import { createLog } from "./create-log.ts";

const lineSchema = z.object({
  msg: z.string(),
  job: z.string().optional(),
  repeated: z.number().optional(),
  reason: z.string().optional(),
  requestIds: z.array(z.string()).optional(),
});

const refused = () => Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), { code: "ECONNREFUSED" });
const outage = () => new DatabaseUnavailableError("PostgreSQL is out of reach", { cause: refused() });

describe("the log", () => {
  let lines: z.infer<typeof lineSchema>[];
  let log: ReturnType<typeof createLog>;
  beforeEach(() => {
    lines = [];
    log = createLog("warn", { write: (line) => void lines.push(lineSchema.parse(JSON.parse(line))) });
  });

  test("has one line a minute for an unavailable database, with a count", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    for (let second = 0; second < 180; second += 1) {
      for (const job of ["budgets", "mails"]) log.error({ err: outage(), job }, "work failed");
      log.error({ err: outage(), requestId: `r${second}` }, "a call failed");
      t.mock.timers.tick(1_000);
    }
    assert.deepEqual(
      lines.map(({ repeated }) => repeated),
      [undefined, 179, 180, 180],
    );
    assert.equal(lines[1]?.reason, "PostgreSQL is out of reach");
    assert.equal(lines[1]?.requestIds?.length, 50);
    lines = [];
    t.mock.timers.tick(120_000);
    assert.deepEqual(lines, [], "nothing is said once it is over");
    log.error({ err: outage() }, "a call failed");
    assert.equal(lines.length, 1, "the next outage is said at once");
  });

  for (const [cause, error] of [
    ["a full disk", Object.assign(new Error("database or disk is full"), { errcode: 13 })],
    ["Redis", refused()],
    ["a price list", new Error("The list answered 502 after 1234 ms.")],
    ["mail", new Error("The mail server refused the login.")],
  ] as const) {
    test(`has one line a minute for ${cause}`, (t) => {
      t.mock.timers.enable({ apis: ["setTimeout"] });
      for (let index = 0; index < 100; index += 1) log.warn({ err: error }, cause);
      assert.equal(lines.length, 1);
      t.mock.timers.tick(60_000);
      assert.deepEqual(
        lines.map(({ msg, repeated }) => [msg, repeated]),
        [
          [cause, undefined],
          [`${cause} (repeated)`, 99],
        ],
      );
    });
  }

  test("distinguishes causes, jobs and channels, and keeps request ids", (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    log.error({ err: refused(), job: "mails" }, "work failed");
    log.error({ err: refused(), job: "budgets" }, "work failed");
    log.error({ err: new Error("out of memory"), job: "mails" }, "work failed");
    for (const channelId of [1, 2]) log.warn({ err: refused(), channelId }, "a channel's balance could not be read");
    for (const reqId of ["a", "b", "c"]) log.child({ reqId }).error({ err: new TypeError("x") }, "a call failed");
    assert.equal(lines.length, 6);
    t.mock.timers.tick(60_000);
    assert.deepEqual(lines.at(-1)?.requestIds, ["b", "c"]);
  });

  test("leaves lines without an error unchanged", () => {
    for (let index = 0; index < 3; index += 1) log.warn({ recovered: index }, "settled requests");
    assert.equal(lines.length, 3);
  });
});
