import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { openForeignDatabase } from "./open-foreign-database.ts";
import { createMariadbDatabase, type MariadbDatabase, mariadbMissing } from "../testing/mariadb-test-server.ts";

describe("a database of MySQL", { skip: mariadbMissing() ?? false }, () => {
  let made: MariadbDatabase;
  before(async () => {
    made = await createMariadbDatabase();
    await made.execute([
      "set session sql_mode = ''",
      `create table \`odd names\` (id bigint auto_increment primary key, \`group\` varchar(64), \`a"b\` longtext, flag tinyint(1), bit_flag bit(1),
        amount bigint, deleted_at datetime(3) null, info json)`,
      `insert into \`odd names\` (\`group\`, \`a"b\`, flag, bit_flag, amount, deleted_at, info) values
        ('默认 🚀', null, 1, b'1', -9007199254740993, null, '{"名": "值 🎉"}'),
        ('', '', 0, b'0', 9223372036854775807, '0000-00-00 00:00:00', null)`,
    ]);
  });

  test("is read as text, with emoji, zero dates, large numbers and flags", async () => {
    const database = await openForeignDatabase(made.url);
    assert.deepEqual(await database.tables(), ["odd names"]);
    assert.deepEqual(await database.columnsOf("none"), []);
    assert.equal(await database.countRows("odd names"), 2);
    const rows = await database.rowsOf("odd names", "id");
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { id: "1", group: "默认 🚀", 'a"b': null, flag: "1", bit_flag: "1", amount: "-9007199254740993", deleted_at: null, info: '{"名": "值 🎉"}' },
        { id: "2", group: "", 'a"b': "", flag: "0", bit_flag: "0", amount: "9223372036854775807", deleted_at: "0000-00-00 00:00:00.000", info: null },
      ],
    );
    await database.close();
  }); // prettier-ignore

  test("is read page by page, and from its end, in one snapshot", async () => {
    await made.execute([
      "create table logs (id bigint auto_increment primary key, type bigint, note text)",
      "insert into logs (type, note) select 1 + (seq % 2), seq from seq_1_to_25",
    ]);
    const database = await openForeignDatabase(made.url);
    const page = { key: "id", columns: ["note", "missing"], size: 10 };
    const sizes: number[] = [];
    for await (const rows of database.pagesOf("logs", page)) {
      if (sizes.length === 0) await made.execute(["insert into logs (type, note) values (2, 'later')"]);
      sizes.push(rows.length);
    }
    assert.deepEqual(sizes, [10, 10, 5]);
    const last = await database.lastOf("logs", { ...page, size: 2 }, { column: "type", value: 2 });
    assert.deepEqual(
      last.map((row) => ({ ...row })),
      [
        { id: "25", note: "25" },
        { id: "23", note: "23" },
      ],
    );
    await database.close();
  });

  test("whose connection is lost fails with the next read", async () => {
    const database = await openForeignDatabase(made.url);
    await made.execute([`kill connection user '${made.user}'@'localhost'`]);
    // The client notices while it is idle, during these round trips.
    for (let trips = 0; trips < 5; trips += 1) await made.execute(["select 1"]);
    await assert.rejects(async () => {
      // The client may send a query before it notices.
      for (;;) await database.countRows("odd names");
    }, /^DatabaseStartError: Cannot read on from MySQL at mysql:\/\/reader_/);
    await database.close();
  });

  test("cannot be opened with a wrong password or database; the error has no password", async () => {
    for (const [address, reason] of [
      [made.url.replace(encodeURIComponent(made.password), "w%40rong"), /Access denied for user/],
      [made.url.replace(/\/old_\w+/, "/elsewhere"), /elsewhere/],
      ["mysql://root:s3cret@127.0.0.1:1/oneapi", /mysql:\/\/root@127\.0\.0\.1:1\/oneapi: .*ECONNREFUSED/],
      ["mysql://root:s3cret@[::1]:1/oneapi", /ECONNREFUSED|EADDRNOTAVAIL/],
      ["mysql://root:s3/cret@127.0.0.1/oneapi", /cannot be read\. Write it as/],
      ["mysql://root:12#s3cret@127.0.0.1/oneapi", /names no database/],
      ["mysql://root:s3cret%@127.0.0.1/oneapi", /a % that stands for nothing/],
      ["mysql://root:s3cret@127.0.0.1/oneapi?ssl-mode=s3cret", /must be DISABLED, REQUIRED, VERIFY_IDENTITY/],
      ["mysql://root:s3cret@127.0.0.1/oneapi?charset=s3cret", /only the parameters socket and ssl-mode/],
    ] as const)
      await assert.rejects(openForeignDatabase(address), (error) => {
        assert.ok(error instanceof Error && error.name === "DatabaseStartError", String(error));
        assert.match(error.message, reason);
        assert.doesNotMatch(error.message, /s3|cret|rong/);
        assert.ok(!error.message.includes(made.password));
        return true;
      });
  });
});
