import assert from "node:assert/strict";
import { it } from "node:test";
import { TOKEN_KEY_LENGTH } from "@one-api/contract/constants";
import { CHAT, chatBody, errorOf, startRelayTest } from "../../../testing/start-relay-test.ts";

const SAME = 20;

it("[V15] keys that differ in the middle alone are different callers, and a third one is unknown", async (context) => {
  const gateway = await startRelayTest();
  context.after(() => gateway.close());
  await gateway.addChannel(await gateway.upstream());
  const { db } = gateway.testApp.database;
  const keyWith = (middle: string) => "a".repeat(SAME) + middle.repeat(TOKEN_KEY_LENGTH - 2 * SAME) + "z".repeat(SAME);
  const ids: number[] = [];
  for (const middle of ["m", "n"]) {
    await gateway.addToken({ name: middle });
    const { id } = await db.selectFrom("tokens").select("id").where("name", "=", middle).executeTakeFirstOrThrow();
    const changes = { key_hmac: gateway.testApp.deps.secrets.lookup(keyWith(middle)) };
    await db.updateTable("tokens").set(changes).where("id", "=", id).execute();
    ids.push(id);
  }
  // Each twice: the second time it is in the gateway's memory.
  for (const [index, middle] of ["m", "n", "m", "n"].entries()) {
    const answer = await gateway.post(CHAT, `sk-${keyWith(middle)}`, chatBody("hello"));
    assert.equal(answer.status, 200);
    await answer.text();
    assert.equal((await gateway.lastLog()).token_id, ids[index % ids.length]);
  }
  const unknown = await gateway.post(CHAT, `sk-${keyWith("o")}`, chatBody("hello"));
  assert.deepEqual([unknown.status, (await errorOf(unknown)).code], [401, "invalid_api_key"]);
});
