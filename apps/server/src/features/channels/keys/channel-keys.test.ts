import assert from "node:assert/strict";
import { copyChannel } from "@one-api/contract/channels/channel-bulk";
import { createChannel, getChannel, listChannels, updateChannel } from "@one-api/contract/channels/channel";
import {
  addChannelKeys,
  deleteChannelKey,
  listChannelKeys,
  updateChannelKey,
} from "@one-api/contract/channels/channel-keys";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { parseJson } from "@one-api/providers/shared/json-fields";
import { after, before, describe, test } from "node:test";
import { alertText, takePendingAlerts } from "../../alerts/index.ts";
import { contextOfGateway } from "../../../core/call-context.ts";
import { createSecrets } from "../../../core/secrets.ts";
import { setOptions } from "../../../testing/set-options.ts";
import type { TestClient } from "../../../testing/test-client.ts";
import { disableChannelAutomatically, disableKeyAutomatically, loadChannelForRelay, runChecks } from "../index.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

const [FIRST, SECOND, THIRD] = ["sk-first-key-0001", "sk-second-key-0002", "sk-third-key-0003"];
const REFUSED = { code: "key-refused", message: "The provider refused the key." } as const;

for (const kind of DATABASE_KINDS) {
  describe(`the keys of a channel on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    const add = (more_keys: readonly string[] = [SECOND], more: object = {}) =>
      app.addChannel(admin, { key: FIRST, more_keys, ...more });
    const list = (id: number) => admin.data(listChannelKeys, { params: { id } });
    const load = (id: number) => loadChannelForRelay(app.testApp.database.db, app.testApp.deps.secrets, id);
    const keysOf = async (id: number) => (await load(id))?.keys?.map(({ key }) => key);
    const statusOf = async (id: number) => (await admin.data(getChannel, { params: { id } })).status;
    const refuse = async (id: number, index: number) => {
      const key = (await list(id))[index];
      return disableKeyAutomatically(app.testApp.deps, id, key?.id ?? 0, REFUSED);
    };
    const audits = async (id: number) => {
      const rows = app.testApp.database.db.selectFrom("audit").select("action").where("object", "=", `channel:${id}`);
      return (await rows.orderBy("id").execute()).map(({ action }) => action);
    };

    test("are one channel, in their order, and are shown by their last four characters", async () => {
      const id = await add([SECOND, FIRST, THIRD, SECOND]);
      const shown = await list(id);
      assert.deepEqual(
        shown.map(({ end, status, weight }) => [end, status, weight]),
        [
          ["0001", 1, 1],
          ["0002", 1, 1],
          ["0003", 1, 1],
        ],
      );
      assert.deepEqual(await keysOf(id), [FIRST, SECOND, THIRD]);
      assert.equal((await load(id))?.connection.key, FIRST);
      for (const key of [FIRST, SECOND, THIRD]) assert.ok(!(await app.everythingStored()).includes(key));
    });

    test("a key of several lines still makes several channels, and none with further keys", async () => {
      const body = { type: 1, name: "batch", key: `${FIRST}\n${SECOND}`, models: "gpt-4o" };
      assert.equal((await admin.data(createChannel, { body })).ids.length, 2);
      const { envelope } = await admin.send(createChannel, { body: { ...body, more_keys: [THIRD] } });
      assert.deepEqual([envelope?.code, envelope?.field], ["channel-key-one-line", "key"]);
    });

    test("are added to a channel of one key, which becomes the first; known ones are left out", async () => {
      const id = await app.addChannel(admin, { key: FIRST });
      assert.deepEqual(await list(id), []);
      const shown = await admin.data(addChannelKeys, { params: { id }, body: { keys: [SECOND, FIRST, SECOND] } });
      assert.deepEqual(
        shown.map(({ end }) => end),
        ["0001", "0002"],
      );
      assert.equal((await admin.data(addChannelKeys, { params: { id }, body: { keys: [FIRST] } })).length, 2);
      assert.deepEqual(await audits(id), ["channel.create", "channel.add-keys"]);
      const { envelope } = await admin.send(addChannelKeys, { params: { id }, body: { keys: ["Bearer x"] } });
      assert.equal(envelope?.code, "channel-key-bearer");
    });

    test("are disabled, weighed and removed one by one; the last one stays", async () => {
      const id = await add([SECOND]);
      const [first, second] = await list(id);
      const at = (key: number | undefined) => ({ params: { id, key: key ?? 0 } });
      await admin.data(updateChannelKey, { ...at(first?.id), body: { status: 2 } });
      await admin.data(updateChannelKey, { ...at(second?.id), body: { weight: 5 } });
      const loaded = await load(id);
      assert.deepEqual([loaded?.connection.key, loaded?.keys?.map(({ weight }) => weight)], [SECOND, [5]]);
      assert.equal((await admin.data(deleteChannelKey, at(first?.id))).length, 1);
      assert.equal((await admin.send(deleteChannelKey, at(second?.id))).envelope?.code, "channel-key-last");
      assert.equal((await admin.send(deleteChannelKey, at(first?.id))).envelope?.code, "channel-key-not-found");
      const own = await app.testApp.database.db
        .selectFrom("channels")
        .select("key_cipher")
        .where("id", "=", id)
        .executeTakeFirst();
      assert.equal(
        app.testApp.deps.secrets.open("channel-key", own?.key_cipher ?? "", ""),
        SECOND,
        "the channel's own key follows",
      );
      assert.deepEqual(await audits(id), [
        "channel.create",
        "channel.update-key",
        "channel.update-key",
        "channel.delete-key",
      ]);
      const details = await app.testApp.database.db
        .selectFrom("audit")
        .select("detail")
        .where("object", "=", `channel:${id}`)
        .where("action", "like", "channel.%-key")
        .orderBy("id")
        .execute();
      assert.deepEqual(
        details.map(({ detail }) => parseJson(detail)),
        [{ key_end: "0001", status: 2 }, { key_end: "0002", weight: 5 }, { key_end: "0001" }],
      );
    });

    test("of another channel are out of reach, and users see none", async () => {
      const [id, other] = [await add(), await add()];
      const [key] = await list(other);
      const params = { id, key: key?.id ?? 0 };
      assert.equal(
        (await admin.send(updateChannelKey, { params, body: { status: 2 } })).envelope?.code,
        "channel-key-not-found",
      );
      const user = await app.clientAs("user");
      assert.equal((await user.send(listChannelKeys, { params: { id } })).status, 403);
      assert.equal((await user.send(deleteChannelKey, { params })).status, 403);
    });

    test("are replaced by a new key, and not sent to a new address", async () => {
      const id = await add();
      const moved = await admin.send(updateChannel, { body: { id, base_url: "https://other.example.com" } });
      assert.equal(moved.envelope?.code, "channel-key-for-new-address");
      await admin.data(updateChannel, { body: { id, key: THIRD, base_url: "https://other.example.com" } });
      const loaded = await load(id);
      assert.deepEqual([loaded?.connection.key, loaded?.keys, await list(id)], [THIRD, undefined, []]);
    });

    test("are copied with their channel", async () => {
      const { id } = await admin.data(copyChannel, { params: { id: await add([SECOND, THIRD]) } });
      assert.deepEqual(await keysOf(id), [FIRST, SECOND, THIRD]);
    });

    test("that are refused leave the channel to the others, until none is left", async () => {
      const id = await add();
      assert.deepEqual([await refuse(id, 0), await refuse(id, 0), await statusOf(id)], [true, false, 1]);
      const [refused] = await list(id);
      const { code, message } = REFUSED;
      assert.deepEqual([refused?.status, refused?.reason, (refused?.disabled_at ?? 0) > 0], [3, message, true]);
      assert.deepEqual([refused?.code, refused?.parts], [code, undefined]);
      assert.deepEqual(await keysOf(id), [SECOND]);
      await refuse(id, 1);
      assert.equal(await statusOf(id), 3);
      await admin.data(updateChannel, { body: { id, status: 1 } });
      assert.deepEqual(await keysOf(id), [FIRST, SECOND], "an administrator who enables the channel enables its keys");
    });

    test("that are refused raise an alert while others serve; the last one's end is the channel's", async () => {
      const { db } = app.testApp.database;
      const id = await add([SECOND], { name: "alerted" });
      await db.deleteFrom("pending_alerts").execute();
      await refuse(id, 0);
      await refuse(id, 0);
      await refuse(id, 1);
      assert.deepEqual(
        (await takePendingAlerts(db)).map(({ alert }) => alertText(alert, "en")),
        [
          `A key (…0001) of channel alerted (${id}) was disabled; enabled keys left: 1. ${REFUSED.message}`,
          `Channel alerted (${id}) was disabled. ${REFUSED.message}`,
        ],
      );
      const entry = await db
        .selectFrom("logs")
        .select(["content", "detail"])
        .where("channel_id", "=", id)
        .orderBy("id")
        .executeTakeFirst();
      assert.match(entry?.content ?? "", /^A key \(…0001\) of channel alerted/);
    });

    test("have a known end: as the channel says, as a JSON Web Token states itself, or as an administrator sets", async () => {
      const ends = async (id: number) => (await list(id)).map(({ expires_at: end }) => end);
      const endOf = async (id: number) => (await admin.data(getChannel, { params: { id } })).key_expires_at;
      const tokenUntil = (exp: unknown) =>
        ["{}", JSON.stringify({ exp })]
          .map((part) => Buffer.from(part).toString("base64url"))
          .concat("sig")
          .join(".");
      const id = await add([tokenUntil(2_000_000_000)], { key_expires_at: 1_900_000_000 });
      assert.deepEqual(await ends(id), [1_900_000_000, 2_000_000_000]);
      const [first] = await list(id);
      const place = { params: { id, key: first?.id ?? 0 } };
      await admin.data(updateChannelKey, { ...place, body: { expires_at: 1_800_000_000 } });
      assert.deepEqual(await ends(id), [1_800_000_000, 2_000_000_000]);
      const refused = await admin.send(updateChannelKey, { ...place, body: { expires_at: -1 } });
      assert.equal(refused.envelope?.field, "expires_at");

      const one = await app.addChannel(admin, { key: FIRST, key_expires_at: 1_900_000_000 });
      await admin.data(addChannelKeys, { params: { id: one }, body: { keys: [SECOND] } });
      assert.deepEqual(await ends(one), [1_900_000_000, 0], "the first key keeps the end of the channel's");

      const edited = await app.addChannel(admin, { key: tokenUntil("soon"), key_expires_at: 1_900_000_000 });
      const edit = (body: object) => admin.data(updateChannel, { body: { id: edited, ...body } });
      await edit({ key: tokenUntil(2_100_000_000), key_expires_at: 1_900_000_000 });
      assert.equal(await endOf(edited), 2_100_000_000, "the form repeats the end of the key before");
      await edit({ name: "renamed" });
      assert.equal(await endOf(edited), 2_100_000_000);
      await edit({ key: THIRD });
      assert.equal(await endOf(edited), 0, "the end of the key before is not that of the new one");
      await edit({ key: FIRST, key_expires_at: 1_700_000_001 });
      assert.equal(await endOf(edited), 1_700_000_001);
    });

    test("are counted in the list, which also marks a secret of another master key", async () => {
      const id = await add([SECOND, THIRD], { name: "counted" });
      const { db } = app.testApp.database;
      const listed = async () => {
        const rows = await admin.data(listChannels, { query: { size: 100 } });
        const { keys, is_unreadable: isUnreadable } = rows.find((row) => row.id === id) ?? {};
        return { keys, isUnreadable };
      };
      await refuse(id, 1);
      const balances = { known_balances: 0, unknown_balances: 2, known_balance: 0 };
      assert.deepEqual(await listed(), {
        keys: { total: 3, enabled: 2, refused: 1, ...balances },
        isUnreadable: undefined,
      });
      const key_cipher = createSecrets("another master key").seal("channel-key", THIRD);
      await db.updateTable("channel_keys").set({ key_cipher }).where("key_end", "=", "0003").where("channel_id", "=", id).execute(); // prettier-ignore
      assert.equal((await listed()).isUnreadable, true);
      assert.equal((await admin.data(getChannel, { params: { id } })).is_unreadable, true);
      const one = await app.addChannel(admin);
      assert.equal((await admin.data(getChannel, { params: { id: one } })).keys, undefined);
    });

    test("that two servers disable at once disable the channel", async () => {
      const id = await add();
      await Promise.all([refuse(id, 0), refuse(id, 1)]);
      assert.equal(await statusOf(id), 3);
    });

    test("are probed one by one, and so come back; a channel without any comes back by one of them", async () => {
      await setOptions(app.testApp, { AutomaticEnableChannelEnabled: "true" });
      let healthy: readonly string[] = [];
      const probed: string[] = [];
      app.around.probe = ({ name, connection }) => {
        if (name === "probed") probed.push(connection.key);
        return name === "probed" && healthy.includes(connection.key)
          ? { ok: true, elapsedMs: 5, text: "", address: "" }
          : { ok: false, elapsedMs: 5, message: "no", failure: "bad-credential", status: 401, address: "" };
      };
      const pass = async (minutes: number) => {
        for (let minute = 0; minute < minutes; minute += 1) {
          app.testApp.clock.advanceSeconds(60);
          await runChecks(contextOfGateway(app.testApp.deps), app.dependencies);
        }
      };
      const id = await add([SECOND], { name: "probed" });
      await refuse(id, 0);
      await pass(4);
      assert.deepEqual(probed, [FIRST, FIRST], "after 1 and 4 minutes");
      healthy = [FIRST];
      await pass(9);
      assert.deepEqual(await keysOf(id), [FIRST, SECOND]);
      await refuse(id, 0);
      await refuse(id, 1);
      assert.equal(await statusOf(id), 3);
      healthy = [SECOND];
      await pass(14);
      assert.deepEqual([await statusOf(id), await keysOf(id)], [1, [SECOND]]);
      await disableChannelAutomatically(app.testApp.deps, id, REFUSED);
    });
  });
}
