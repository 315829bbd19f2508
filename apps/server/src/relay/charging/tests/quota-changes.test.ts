import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createRedemptions, redeemCode } from "@one-api/contract/redemption";
import { updateUser } from "@one-api/contract/accounts/user-management";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

describe("quota that changes beside the relay", () => {
  let gateway: RelayTest;
  beforeEach(async () => {
    gateway = await startRelayTest();
    await gateway.addChannel(await gateway.upstream());
  });
  afterEach(() => gateway.close());

  it("counts at once: a redeemed code pays the next call, and what an administrator takes is gone", async () => {
    const { client, user } = await gateway.testApp.logInAs("user", { quota: 0 });
    const key = await gateway.addToken({ remain_quota: 0, unlimited_quota: true }, client);
    const ask = async () => (await gateway.post(CHAT, key, chatBody("x"))).status;
    assert.notEqual(await ask(), 200);
    const [code] = await gateway.root.data(createRedemptions, { body: { name: "gift", quota: 50_000_000 } });
    await client.data(redeemCode, { body: { key: code } });
    assert.equal(await ask(), 200);
    await gateway.root.data(updateUser, { body: { id: user.id, quota: 0 } });
    assert.notEqual(await ask(), 200);
    await gateway.root.data(updateUser, { body: { id: user.id, quota: 50_000_000 } });
    assert.equal(await ask(), 200);
    const books = await gateway.books();
    assert.deepEqual([books.open, books.differences], [0, 0]);
  });
});
