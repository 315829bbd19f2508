import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { readLimitUse } from "@one-api/contract/limits/limit-use";
import { createToken, deleteToken } from "@one-api/contract/token";
import { updateUser } from "@one-api/contract/accounts/user-management";
import { whyMissing } from "@one-api/database/test-databases";
import { CHAT, chatBody, errorOf } from "../../testing/start-relay-test.ts";
import { setOptions } from "../../testing/set-options.ts";
import { startTwoServers } from "../../testing/start-two-servers.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

const FREE = { rpm_limit: 0, dpm_limit: 0, tpm_limit: 0 };

describe("limits on two servers without Redis", { skip: whyMissing("postgres") ?? false }, () => {
  const both = startTwoServers();
  before(async () => {
    const [one, other] = both();
    await one.addChannel(await one.upstream());
    // Each learns of the other by its heartbeat.
    for (const { root } of [one, other])
      await waitUntil(async () => (await root.data(readLimitUse, { query: { tokens: "" } })).servers === 2);
  });

  it("are enforced in parts that add up to the limit", async () => {
    const servers = both();
    const key = await servers[0].addToken({ ...FREE, requests_5h_limit: 5 });
    const statuses = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const answer = await servers[index % 2]?.post(CHAT, key, chatBody("hello"));
        await answer?.arrayBuffer();
        return answer?.status;
      }),
    );
    assert.deepEqual([statuses.filter((status) => status === 200).length, new Set(statuses)], [5, new Set([200, 429])]);
  });

  it("of the user count all tokens; a user's own limit comes before that of the group", async () => {
    const [one] = both();
    const { root, testApp } = one;
    const { client, user } = await testApp.logInAs("user", { quota: 50_000_000 });
    const group = { default: { requests_day_limit: 2, models: { "gpt-4o-mini": { rpm_limit: 1_000 } } } };
    await setOptions(testApp, { GroupLimits: JSON.stringify(group) });
    const keys = [await one.addToken(FREE, client), await one.addToken(FREE, client)];
    const call = async (index: number) => one.post(CHAT, keys[index % 2] ?? "", chatBody("hello"));
    assert.equal((await call(0)).status, 200);
    const refused = await errorOf(await call(1));
    assert.match(refused.message, /This account has reached its limit of 2 requests in a day/);
    await root.data(updateUser, { body: { id: user.id, requests_day_limit: 4 } });
    assert.equal((await call(1)).status, 200, "half of 4 is this server's part");
    const uses = await client.data(readLimitUse, { query: { tokens: "" } });
    assert.deepEqual(
      uses.account.map(({ field, model, limit, used }) => [field, model, limit, used]),
      [
        ["requests_day_limit", "", 4, 2],
        ["rpm_limit", "gpt-4o-mini", 1_000, 2],
      ],
    );
    assert.deepEqual([uses.counts_all_servers, uses.servers], [false, 2]);
    await setOptions(testApp, { GroupLimits: "" });
  });

  it("are told for own tokens alone", async () => {
    const [{ root, testApp }] = both();
    const { client } = await testApp.logInAs("user", { quota: 50_000_000 });
    const own = await client.data(createToken, { body: { name: "own", ...FREE, concurrent_limit: 3 } });
    const foreign = await root.data(createToken, { body: { name: "foreign", ...FREE, concurrent_limit: 3 } });
    const uses = await client.data(readLimitUse, { query: { tokens: `${own.id},${foreign.id}` } });
    assert.deepEqual(uses.tokens, [
      { id: own.id, limits: [{ field: "concurrent_limit", model: "", limit: 3, used: 0, resets_in: 0 }] },
    ]);
    await root.data(deleteToken, { params: { id: foreign.id } });
  });
});
