import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { whyMissing } from "@one-api/database/test-databases";
import { TEST_MODEL } from "../../../testing/start-relay-test.ts";
import { chatLine, makeBatch } from "../../../testing/make-batch.ts";
import { startTwoServers } from "../../../testing/start-two-servers.ts";
import { followBatch } from "../follow-batches.ts";

const BATCHES = 6;

describe("two servers on one PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  const both = startTwoServers();

  it("charge a batch once that both see end, whichever is the first, and open its files", async () => {
    const [one, other] = both();
    const upstream = await one.upstream();
    await one.addChannel(upstream);
    const owner = one.sdk(await one.addToken());
    const ids: string[] = [];
    for (let index = 0; index < BATCHES; index += 1) {
      const { batch } = await makeBatch(owner, [chatLine("a"), chatLine("b")]);
      await owner.batches.retrieve(batch.id);
      ids.push(batch.id);
    }
    const { db } = one.testApp.database;
    const rows = await db.selectFrom("batches").select(["id", "request_id"]).execute();
    assert.equal(rows.length, BATCHES);
    // So long that each server has seen that nothing is charged before the other has charged it.
    upstream.setBehaviour(({ path }) => ({
      kind: "normal",
      ...(path.endsWith("/content") && { headersDelayMs: 300 }),
    }));
    const looks = rows.flatMap((row) => both().map((server) => followBatch(server.testApp.deps.relay, row)));
    await Promise.all(looks);
    upstream.setBehaviour({ kind: "normal" });
    // Nobody has to have been quick: a look at what is charged already is one, too.
    for (const row of rows) await followBatch(other.testApp.deps.relay, row);
    const { logs, differences } = await one.books();
    assert.equal(differences, 0);
    const charged = logs.filter(({ model_name: name, quota }) => name === TEST_MODEL && quota > 0);
    assert.equal(charged.length, BATCHES);
    assert.deepEqual(await db.selectFrom("owners").select("request_id").where("state", "=", "batch").execute(), []);
    for (const id of ids) {
      const { output_file_id: fileId } = await owner.batches.retrieve(id);
      assert.match(await (await owner.files.content(fileId ?? "")).text(), /"custom_id":"b"/);
    }
  });
});
