import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { listChannels } from "@one-api/contract/channels/channel";
import { getLog, getOwnLog, listLogs, listOwnLogs } from "@one-api/contract/logs/log";
import type { LogChoice } from "@one-api/contract/logs/log-detail";
import { nowSeconds } from "../../../platform/clock.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { setOptions } from "../../../testing/set-options.ts";

/** Nothing listens there. */
const NOBODY = { url: "http://127.0.0.1:1" };

describe("what the log tells of the choice of a channel", () => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start() {
    test = await startRelayTest();
    const gateway = test;
    const upstream = await gateway.upstream();
    const { db } = gateway.testApp.database;
    const idOf = async (name: string) =>
      (await db.selectFrom("channels").select("id").where("name", "=", name).executeTakeFirstOrThrow()).id;
    const storyOfNewest = async () => {
      await gateway.testApp.deps.relay.refusals.flush(true);
      const [entry] = await gateway.root.data(listLogs, { query: {} });
      return gateway.root.data(getLog, { params: { id: entry?.id ?? 0 } });
    };
    return { gateway, upstream, db, idOf, storyOfNewest };
  }
  const choices = (story: { detail?: { attempts: readonly { choice?: LogChoice | undefined }[] } | undefined }) =>
    story.detail?.attempts.map(({ choice }) => choice);

  it("names who was asleep, who comes later and who serves other groups, for each attempt", async () => {
    const { gateway, upstream, db, idOf, storyOfNewest } = await start();
    await gateway.addChannel(upstream, { name: "asleep", priority: 10 });
    await gateway.addChannel(NOBODY, { name: "dead", priority: 5 });
    await gateway.addChannel(upstream, { name: "good", priority: 0 });
    await gateway.addChannel(upstream, { name: "theirs", priority: 50, group: "vip" });
    const asleep = await idOf("asleep");
    const until = nowSeconds(gateway.testApp.deps.clock) + 500;
    await db.updateTable("channels").set({ awake_time: until }).where("id", "=", asleep).execute();
    gateway.testApp.deps.changes.announce("channels");
    const { client, user } = await gateway.testApp.logInAs("user", { quota: 1_000_000 });
    const key = await gateway.addToken({ remain_quota: 500_000 }, client);
    assert.equal((await gateway.post(CHAT, key, chatBody("hello"))).status, 200);

    const story = await storyOfNewest();
    const [dead, good, theirs] = [await idOf("dead"), await idOf("good"), await idOf("theirs")];
    assert.deepEqual(
      story.detail?.attempts.map(({ channel, status }) => [channel, status]),
      [
        [dead, 0],
        [good, 200],
      ],
    );
    const [first, second] = choices(story) ?? [];
    const rest = first?.passed[0]?.amount ?? 0;
    assert.ok(rest > 400 && rest <= 500, `${rest} s`);
    const sleeps = { channel: asleep, reason: "rate-limited", amount: rest };
    const elsewhere = { channel: theirs, reason: "other-group", amount: 0 };
    const later = { channel: good, reason: "lower-priority", amount: 0 };
    assert.deepEqual(first, { by: "only", share: 0, passed: [sleeps, later, elsewhere], more: 0 });
    assert.deepEqual(
      [second?.by, second?.passed.map(({ channel }) => channel)],
      ["only", [asleep, theirs]],
      "one that was tried is told as an attempt",
    );
    assert.equal(story.detail?.group, "default");
    assert.deepEqual(story.channel_names.map(({ name }) => name).toSorted(), ["asleep", "dead", "good", "theirs"]);

    const [own] = await client.data(listOwnLogs, { query: {} });
    const owned = await client.data(getOwnLog, { params: { id: own?.id ?? 0 } });
    assert.equal(owned.user_id, user.id);
    assert.deepEqual([owned.channel_names, choices(owned)], [[], [undefined, undefined]]);
    const { client: other } = await gateway.testApp.logInAs("user");
    const foreign = await other.send(getOwnLog, { params: { id: owned.id } });
    assert.equal(foreign.envelope?.code, "not-found", "somebody else's entry is none");
  });

  it("tells the share at random and in turn, one that is pinned, and the only one in few bytes", async () => {
    const { gateway, upstream, db, idOf, storyOfNewest } = await start();
    await gateway.addChannel(upstream, { name: "one", weight: 3 });
    const key = await gateway.addToken();
    const ask = async (asKey = key) => (await gateway.post(CHAT, asKey, chatBody("hello"))).text();
    await ask();
    const { detail } = await db.selectFrom("logs").select("detail").where("type", "=", 2).executeTakeFirstOrThrow();
    assert.doesNotMatch(detail, /choice/);
    assert.deepEqual(choices(await storyOfNewest()), [{ by: "only", share: 0, passed: [], more: 0 }]);

    await gateway.addChannel(upstream, { name: "two", weight: 1 });
    const [one, two] = [await idOf("one"), await idOf("two")];
    const other = (channel: number) => (channel === one ? [two, 25] : [one, 75]);
    for (const [mode, by] of [
      ["random", "share"],
      ["polling", "turn"],
    ] as const) {
      await setOptions(gateway.testApp, { PoolMode: mode });
      await ask();
      const story = await storyOfNewest();
      const [choice] = choices(story) ?? [];
      const [id, share] = other(story.channel);
      assert.deepEqual(choice, {
        by,
        share: 100 - Number(share),
        passed: [{ channel: id, reason: "share", amount: share }],
        more: 0,
      });
    }
    await ask(`${key}-${one}`);
    assert.deepEqual(choices(await storyOfNewest()), [{ by: "pinned", share: 0, passed: [], more: 0 }]);
  });

  it("takes turns in each gateway for itself", async () => {
    const firsts: unknown[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { gateway, upstream, storyOfNewest } = await start();
      for (const name of ["one", "two"]) await gateway.addChannel(upstream, { name });
      await setOptions(gateway.testApp, { PoolMode: "polling" });
      await (await gateway.post(CHAT, await gateway.addToken(), chatBody("hello"))).text();
      firsts.push((await storyOfNewest()).channel);
      await gateway.close();
      test = undefined;
    }
    assert.equal(firsts[0], firsts[1]);
  });

  it("keeps a conversation on one channel while that can be used, and goes by weight without one", async () => {
    const { gateway, upstream, db, idOf, storyOfNewest } = await start();
    for (const name of ["one", "two"]) await gateway.addChannel(upstream, { name });
    const key = await gateway.addToken();
    const question = `Read this. ${"All of it. ".repeat(500)}`;
    const ask = async (more: object = {}, headers = {}) => {
      const answer = await gateway.post(CHAT, key, chatBody(question, { ...more }), headers);
      assert.equal(answer.status, 200, await answer.text());
      const { detail, channel } = await storyOfNewest();
      return { channel, choice: detail?.attempts[0]?.choice };
    };
    const first = await ask();
    assert.deepEqual([first.choice?.by, first.choice?.share], ["conversation", 50]);
    const turns = [
      { role: "user", content: question },
      { role: "assistant", content: "Yes?" },
      { role: "user", content: "Go on." },
    ];
    for (let turn = 0; turn < 8; turn += 1) assert.equal((await ask({ messages: turns })).channel, first.channel);

    const until = nowSeconds(gateway.testApp.deps.clock) + 500;
    const sleep = async (awake_time: number) => {
      await db.updateTable("channels").set({ awake_time }).where("id", "=", first.channel).execute();
      gateway.testApp.deps.changes.announce("channels");
    };
    await sleep(until);
    const elsewhere = await ask({ messages: turns });
    assert.notEqual(elsewhere.channel, first.channel);
    assert.deepEqual(
      elsewhere.choice?.passed.map(({ channel, reason }) => [channel, reason]),
      [[first.channel, "rate-limited"]],
    );
    await sleep(0);
    assert.equal((await ask()).channel, first.channel, "its cache is still there");

    const channels = new Set<number>();
    for (let session = 0; session < 40 && channels.size < 2; session += 1) {
      channels.add(
        (await ask({ messages: [{ role: "user", content: "hi" }] }, { "x-session-id": `s${session}` })).channel,
      );
    }
    assert.deepEqual(channels, new Set([await idOf("one"), await idOf("two")]));
    assert.equal((await ask({ messages: [{ role: "user", content: "hi" }] })).choice?.by, "share", "nothing to cache");
    await setOptions(gateway.testApp, { PromptCacheAffinity: "false" });
    assert.equal((await ask()).choice?.by, "share");
  });

  it("names few of many, and counts the others", async () => {
    const { gateway, upstream, storyOfNewest } = await start();
    for (let count = 0; count < 12; count += 1) await gateway.addChannel(upstream, { name: `n${count}` });
    assert.equal((await gateway.root.data(listChannels)).length, 10);
    const key = await gateway.addToken();
    await (await gateway.post(CHAT, key, chatBody("hello"))).text();
    const [choice] = choices(await storyOfNewest()) ?? [];
    assert.deepEqual([choice?.passed.length, choice?.more, choice?.share], [8, 3, 8]);
  });
});
