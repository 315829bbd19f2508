import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { getSelf, listOwnGroups } from "@one-api/contract/accounts/user";
import { updateUser } from "@one-api/contract/accounts/user-management";
import { createToken, listTokens, updateToken } from "@one-api/contract/token";
import { recordOf } from "@one-api/providers/shared/json-fields";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";
import type { TestClient } from "../../../testing/test-client.ts";

describe("groups of a token", () => {
  let gateway: RelayTest;
  let cheap: StubServer;
  let dear: StubServer;
  let owner: TestClient;
  let ownerId: number;
  beforeEach(async () => {
    gateway = await startRelayTest();
    [cheap, dear] = [await gateway.upstream(), await gateway.upstream()];
    await setOptions(gateway.testApp, {
      GroupRatio: JSON.stringify({ default: 1000, vip: 2000, other: 0 }),
      RetryTimes: "2",
    });
    await gateway.addChannel(cheap, { name: "cheap", group: "default" });
    await gateway.addChannel(dear, { name: "dear", group: "vip" });
    const { client, user } = await gateway.testApp.logInAs("user", { quota: 50_000_000, group: "default,vip" });
    [owner, ownerId] = [client, user.id];
  });
  afterEach(() => gateway.close());

  const ask = async (key: string) => {
    const answer = await gateway.post(CHAT, key, chatBody("hello"));
    await answer.text();
    return answer.status;
  };
  const served = async () => {
    const { quota, detail } = await gateway.lastLog();
    return { quota, group: recordOf(JSON.parse(detail))["group"] };
  };

  it("are tried in order, each at its own factor; the log names the one that served", async () => {
    const key = await gateway.addToken({ group: "default,vip" }, owner);
    assert.equal(await ask(key), 200);
    const first = await served();
    assert.equal(first.group, "default");
    cheap.setBehaviour({ kind: "refuse", status: 500 });
    assert.equal(await ask(key), 200);
    assert.deepEqual(await served(), { quota: first.quota * 2, group: "vip" });
  });

  it("narrow a token down to one group", async () => {
    const key = await gateway.addToken({ group: "vip" }, owner);
    assert.equal(await ask(key), 200);
    assert.equal((await served()).group, "vip");
    dear.setBehaviour({ kind: "refuse", status: 500 });
    assert.equal(await ask(key), 502, "the other group of its owner is not used");
  });

  it("do not fail over for a token that names none", async () => {
    const key = await gateway.addToken({}, owner);
    cheap.setBehaviour({ kind: "refuse", status: 500 });
    assert.equal(await ask(key), 502);
  });

  it("use a channel of several groups once, in the first", async () => {
    const both = await gateway.upstream();
    await gateway.addChannel(both, { name: "both", models: "shared", group: "default,vip" });
    both.setBehaviour({ kind: "refuse", status: 500 });
    const key = await gateway.addToken({ group: "vip,default" }, owner);
    const answer = await gateway.post(CHAT, key, chatBody("hello", { model: "shared" }));
    assert.equal(answer.status, 502);
    const { detail } = await gateway.lastLog();
    const { attempts, group } = recordOf(JSON.parse(detail));
    assert.ok(Array.isArray(attempts));
    assert.deepEqual([attempts.length, group], [1, "vip"]);
  });

  it("reserve for the dearest of them", async () => {
    await setOptions(gateway.testApp, { GroupRatio: JSON.stringify({ default: 1, vip: 100 }) });
    const { client } = await gateway.testApp.logInAs("user", { quota: 1_000, group: "default,vip" });
    const most = chatBody("hello", { max_tokens: 200 });
    const one = await gateway.addToken({ unlimited_quota: true, group: "default" }, client);
    assert.equal((await gateway.post(CHAT, one, most)).status, 200);
    const two = await gateway.addToken({ unlimited_quota: true, group: "default,vip" }, client);
    const refused = await gateway.post(CHAT, two, most);
    assert.deepEqual([refused.status, (await errorOf(refused)).code], [403, "insufficient_quota"]);
  });

  it("must be the owner's own, also later", async () => {
    const refused = await owner.send(createToken, { body: { name: "free", group: "default,other" } });
    assert.deepEqual(
      [refused.status, refused.envelope?.code, refused.envelope?.field],
      [400, "token-group-not-own", "group"],
    );
    const key = await gateway.addToken({ group: "vip" }, owner);
    const [token] = await owner.data(listTokens, { query: {} });
    const id = token?.id ?? 0;
    const edited = await owner.send(updateToken, { query: {}, body: { id, group: "other" } });
    assert.equal(edited.envelope?.code, "token-group-not-own");
    await gateway.root.data(updateUser, { body: { id: ownerId, group: "default" } });
    const gone = await gateway.post(CHAT, key, chatBody("hello"));
    assert.deepEqual([gone.status, (await errorOf(gone)).code], [403, "group_not_allowed"]);
    const kept = await owner.send(updateToken, { query: {}, body: { id, group: "vip", name: "renamed" } });
    assert.equal(kept.status, 200, "a form that is saved again is not refused for a group that was lost");
    await owner.data(updateToken, { query: {}, body: { id, group: "" } });
    assert.equal(await ask(key), 200);
  });

  it("are listed with their factors", async () => {
    assert.deepEqual(await owner.data(listOwnGroups), [
      { group: "default", ratio: 1000 },
      { group: "vip", ratio: 2000 },
    ]);
    assert.equal((await owner.data(getSelf)).group, "default,vip");
  });

  it("decide which models the token lists", async () => {
    await gateway.addChannel(dear, { name: "more", models: "only-vip", group: "vip" });
    const ids = async (group: string) => {
      const models = await gateway.sdk(await gateway.addToken({ group }, owner)).models.list();
      return models.data.map(({ id }) => id);
    };
    assert.equal((await ids("default")).includes("only-vip"), false);
    assert.equal((await ids("vip")).includes("only-vip"), true);
  });
});
