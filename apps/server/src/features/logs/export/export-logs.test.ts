import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { exportLogs, exportOwnLogs, listLogs, LOG_TYPE } from "@one-api/contract/logs/log";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { serverAddress } from "../../../listen.ts";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";
import type { Tables } from "@one-api/database/tables";
import type { Insertable } from "kysely";

type NewLog = Insertable<Tables["logs"]>;

const FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "\uFF1D1", "\u200B=1"];

for (const kind of DATABASE_KINDS) {
  describe(`exports of the log on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    let mia: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      admin = await testApp.logInAs("admin");
      mia = await testApp.logInAs("user", { username: "mia" });
    });
    after(() => testApp.close());

    const logOf = ({ user }: TestLogin, changes: Partial<NewLog>): NewLog => ({
      user_id: user.id,
      created_at: 1_763_700_000,
      type: LOG_TYPE.consumption,
      content: "",
      username: user.username,
      token_name: "main",
      model_name: "o3",
      quota: 7,
      prompt_tokens: 10,
      completion_tokens: 1,
      channel_id: 71,
      request_id: "",
      elapsed_time: 1_500,
      is_stream: 1,
      detail: "",
      ...changes,
    });
    const add = async (rows: readonly NewLog[]) => {
      await testApp.database.db.deleteFrom("logs").execute();
      for (let from = 0; from < rows.length; from += 200)
        await testApp.database.db
          .insertInto("logs")
          .values(rows.slice(from, from + 200))
          .execute();
    };

    test("users export their own entries without channels; administrators export all, which is audited", async () => {
      await add([logOf(mia, { content: "hers" }), logOf(admin, { content: 'his, "quoted"\nin lines' })]);
      const own = await mia.client.send(exportOwnLogs, { query: { format: "csv" } });
      assert.equal(own.headers["content-type"], "text/csv; charset=utf-8");
      assert.match(String(own.headers["content-disposition"]), /^attachment; filename="logs-\d{4}-\d\d-\d\d\.csv"$/);
      const [head = "", line = "", ...more] = own.text.split("\r\n");
      assert.match(head, /^\uFEFFid,time,type,/);
      assert.match(line, /,2025-11-21T04:40:00\.000Z,2,.*,mia,.*,hers,$/);
      assert.deepEqual(more, [""]);
      assert.equal(own.text.includes("channel"), false);
      assert.equal((await mia.client.send(exportLogs)).status, 403);

      const all = await admin.client.send(exportLogs, { query: { format: "csv" } });
      assert.match(all.text, /"his, ""quoted""\nin lines"/);
      assert.match(all.text, /hers,,71,/);
      const rows = await testApp.database.db.selectFrom("audit").select(["action", "detail"]).execute();
      const wanted = { action: "log.export", detail: JSON.stringify({ format: "csv" }) };
      assert.deepEqual(
        rows.filter(({ action }) => action === "log.export"),
        [wanted],
      );
    });

    test("no text is a formula in spreadsheets", async () => {
      await add(FORMULAS.map((text) => logOf(mia, { token_name: text, content: `${text},x` })));
      const { text } = await mia.client.send(exportOwnLogs);
      for (const formula of FORMULAS) {
        assert.ok(text.includes(`'${formula}`), JSON.stringify(formula));
        assert.equal(text.includes(`,${formula}`) || text.includes(`"${formula}`), false, JSON.stringify(formula));
      }
    });

    test("JSON lines equal the filtered list", async () => {
      const models = ["a", "b", "a"].map((model_name, index) => logOf(mia, { model_name, quota: index }));
      await add(models);
      const query = { format: "jsonl", model_name: "a" };
      const { text, headers } = await admin.client.send(exportLogs, { query });
      assert.equal(headers["content-type"], "application/x-ndjson; charset=utf-8");
      const lines = text.trimEnd().split("\n");
      const listed = await admin.client.data(listLogs, { query: { model_name: "a" } });
      assert.deepEqual(
        lines.map((line): unknown => JSON.parse(line)),
        listed,
      );
      assert.equal(lines.length, 2);
      assert.equal((await admin.client.send(exportLogs, { query: { format: "xml" } })).status, 400);
    });

    test("a stalled download pauses the export; two run at a time, and a disconnect frees one", async () => {
      await add(Array.from({ length: 8_000 }, () => logOf(mia, { content: "long ".repeat(1_000) })));
      const url = await addressOf(testApp);
      const controllers = [new AbortController(), new AbortController()];
      const headers = { cookie: `session=${mia.client.sessionId() ?? ""}` };
      const open = (signal?: AbortSignal) =>
        fetch(`${url}/api/log/self/export?format=jsonl`, { headers, ...(signal === undefined ? {} : { signal }) });
      const answers = await Promise.all(controllers.map(({ signal }) => open(signal)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      );
      assert.equal((await mia.client.send(exportOwnLogs)).status, 429);
      assert.equal((await admin.client.send(exportOwnLogs)).status, 200, "others have their own");
      const cookie = `session=${admin.client.sessionId() ?? ""}`;
      const unpacked = await testApp.app.inject({
        url: "/api/log/self/export?format=csv",
        headers: { cookie, "accept-encoding": "br" },
      });
      assert.equal(unpacked.headers["content-encoding"], undefined, "the first lines wait for nothing");
      for (const controller of controllers) controller.abort();
      const deadline = Date.now() + 60_000;
      let whole = await open();
      while (whole.status === 429 && Date.now() < deadline) whole = await open();
      assert.equal(whole.status, 200);
      assert.equal((await whole.text()).trimEnd().split("\n").length, 8_000);
    });
  });
}

async function addressOf({ app }: TestApp): Promise<string> {
  await app.listen({ port: 0, host: "127.0.0.1" });
  return serverAddress(app).replace("localhost", "127.0.0.1");
}
