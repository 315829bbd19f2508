import assert from "node:assert/strict";
import { it } from "node:test";
import { updateOption } from "@one-api/contract/options/option";
import type { OpenDatabase } from "@one-api/database/open-database";
import { whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { CHAT, chatBody, errorOf, startRelayTest, whenRefused } from "../../../testing/start-relay-test.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

/** Has all sessions from now on only read, as a cloud does whose disk is full, or write again. */
async function setReadOnly({ db }: OpenDatabase, value: "on" | "off"): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const change = `alter database "${rows[0]?.name}" set default_transaction_read_only = ${value}`;
  // The defaults of a session stay as they were when it began. This one ends, too, as the last.
  const end = `select pg_terminate_backend(pid) from
    (select pid from pg_stat_activity where datname = current_database() order by pid = pg_backend_pid()) as others_first`;
  await sql.raw(`begin read write; ${change}; commit`).execute(db);
  await sql
    .raw(end)
    .execute(db)
    .catch(() => undefined);
}

it(
  "calls and writes are unavailable while PostgreSQL only reads, and work again once it writes",
  { skip: whyMissing("postgres") ?? false },
  async (context) => {
    const test = await startRelayTest({ kind: "postgres" });
    context.after(() => test.close());
    await test.addChannel(await test.upstream());
    const key = await test.addToken();
    const ask = () => test.post(CHAT, key, chatBody("Hello"));
    assert.equal((await ask()).status, 200);
    const { database, app } = test.testApp;
    await setReadOnly(database, "on");
    const refused = await whenRefused(ask);
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
    assert.equal((await errorOf(refused)).code, "unavailable");
    const answers = await Promise.all(Array.from({ length: 8 }, ask));
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 503),
    );
    const write = await test.root.send(updateOption, { body: { key: "SystemName", value: "other" } });
    assert.deepEqual([write.status, write.headers["retry-after"]], [503, "5"]);
    const health = async () => (await app.inject({ url: "/healthz" })).statusCode;
    await waitUntil(async () => (await health()) === 503);
    await setReadOnly(database, "off");
    await waitUntil(async () => (await ask()).status === 200);
    await waitUntil(async () => (await health()) === 200);
    const { differences } = await test.books();
    assert.equal(differences, 0);
  },
);
