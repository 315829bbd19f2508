import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { getLog, getLogBodies, getOwnLog, getOwnLogBodies, listLogs } from "@one-api/contract/logs/log";
import { clearLogs } from "@one-api/contract/logs/log-clearing";
import { deleteToken, updateToken } from "@one-api/contract/token";
import { eachDatabase } from "@one-api/database/test-databases";
import { JobRuns } from "../../../platform/work/job-runs.ts";
import { startLogRetentionJob } from "../../../jobs/log-retention.job.ts";
import { insertStoredBodies, type StoredBodies, trimBodies } from "../../../features/logs/index.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { setOptions } from "../../../testing/set-options.ts";
import { startRawUpstream } from "../../../testing/servers/start-raw-upstream.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import type { TestLogin } from "../../../testing/create-test-app.ts";

const SECRET = "sk-aB3dE5gH7jK9mN1pQ3sT5vW7";
const DAY_SECONDS = 86_400;

/** A stream that says the secret in pieces of a few letters each. */
const PIECES = [...`The key is ${SECRET}, as you asked.`.matchAll(/.{1,3}/g)].map(([content], index) => {
  const delta = index === 0 ? { role: "assistant", content } : { content };
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
});
const STREAM = `${PIECES.join("")}data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 } })}\n\ndata: [DONE]\n\n`;

eachDatabase((_open, kind) => {
  let test: RelayTest | undefined;
  const upstreams: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await test?.close();
    for (const upstream of upstreams.splice(0)) await upstream.close();
  });

  async function start() {
    test = await startRelayTest({ kind });
    const gateway = test;
    const { testApp, root } = gateway;
    await gateway.addChannel(await gateway.upstream());
    const owner = await testApp.logInAs("user", { quota: 10_000_000 });
    const key = await gateway.addToken({ remain_quota: 5_000_000 }, owner.client);
    const token = await testApp.database.db.selectFrom("tokens").select("id").executeTakeFirstOrThrow();
    const setKeeping = (keep_bodies: boolean) =>
      owner.client.send(updateToken, { body: { id: token.id, keep_bodies } });
    const allow = () => setOptions(testApp, { LogBodiesEnabled: "true" });
    const written = () => testApp.deps.relay.bodies.flush();
    const kept = () => testApp.database.db.selectFrom("stored_bodies").selectAll().execute();
    const newest = async () => {
      await written();
      const [entry] = await root.data(listLogs, { query: {} });
      return entry?.id ?? 0;
    };
    const read = ({ client }: TestLogin, id: number) => client.data(getOwnLogBodies, { params: { id } });
    const ask = async (content: string, more = {}) => {
      const answer = await gateway.post(CHAT, key, chatBody(content, more));
      return { status: answer.status, text: await answer.text() };
    };
    return { gateway, testApp, root, owner, key, token, setKeeping, allow, written, kept, newest, read, ask };
  }

  describe("bodies of requests", () => {
    it("are kept only where an option allows it and the token's owner wants it", async () => {
      const { setKeeping, allow, written, kept, ask, testApp } = await start();
      const refused = await setKeeping(true);
      assert.deepEqual([refused.envelope?.code, refused.envelope?.field], ["token-bodies-off", "keep_bodies"]);
      await allow();
      await ask("nothing is asked for");
      assert.equal((await setKeeping(true)).envelope?.success, true);
      await ask("kept");
      await written();
      await setOptions(testApp, { LogBodiesEnabled: "false" });
      await ask("not allowed any more");
      assert.equal((await setKeeping(true)).envelope?.success, true, "what is on already is no change");
      await allow();
      await setKeeping(false);
      await ask("not wanted any more");
      await setKeeping(true);
      await written();
      const rows = await kept();
      assert.equal(rows.length, 1);
      assert.match(rows[0]?.request ?? "", /"content":"kept"/);
    });

    it("are read by the token's owner and by root, whose look is noted, and by nobody else", async () => {
      const { setKeeping, allow, ask, newest, read, root, owner, testApp, kept } = await start();
      await allow();
      await setKeeping(true);
      const { text } = await ask(`hello ${SECRET} data:image/png;base64,${"AAAA".repeat(100_000)} end`);
      const id = await newest();
      const bodies = await read(owner, id);
      assert.match(bodies.request, /hello \[secret\] \[data URL, 40\d\d\d\d characters\] end/);
      assert.equal(bodies.request_is_truncated, false);
      assert.ok(bodies.request_bytes > 400_000);
      assert.equal(bodies.answer_bytes, Buffer.byteLength(text));
      assert.match(bodies.answer, /"content":"/);
      assert.equal(JSON.stringify(await kept()).includes("aB3dE5"), false);
      assert.equal((await owner.client.data(getOwnLog, { params: { id } })).has_bodies, true);

      const audit = () =>
        testApp.database.db
          .selectFrom("audit")
          .select(["action", "object"])
          .where("action", "=", "log.read-bodies")
          .execute();
      assert.deepEqual(await audit(), []);
      assert.deepEqual(await root.data(getLogBodies, { params: { id } }), bodies);
      assert.deepEqual(await audit(), [{ action: "log.read-bodies", object: `user:${owner.user.id}` }]);
      assert.equal((await root.data(getLog, { params: { id } })).has_bodies, true);

      const admin = await testApp.logInAs("admin");
      const other = await testApp.logInAs("user");
      for (const { client } of [admin, other]) {
        assert.equal((await client.send(getOwnLogBodies, { params: { id } })).envelope?.code, "not-found");
        assert.equal((await client.send(getLogBodies, { params: { id } })).status, 403);
      }
      assert.equal((await admin.client.data(getLog, { params: { id } })).has_bodies, false);
    });

    it("of a stream are put together, so that a key in pieces is found", async () => {
      const { gateway, setKeeping, allow, ask, newest, read, owner, testApp } = await start();
      await testApp.database.db.deleteFrom("channels").execute();
      const upstream = await startRawUpstream((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).end(STREAM);
      });
      upstreams.push(upstream);
      await gateway.addChannel(upstream);
      await allow();
      await setKeeping(true);
      assert.ok((await ask("tell", { stream: true })).text.includes("[DONE]"));
      const { answer } = await read(owner, await newest());
      assert.match(answer, /The key is \[secret\], as you asked\./);
      assert.match(answer, /"finish": "stop"/);
    });

    it("of a form are its fields, and of its files and of pictures nothing", async () => {
      const { gateway, setKeeping, allow, newest, read, owner, key, kept } = await start();
      await gateway.addChannel(await gateway.upstream(), { models: "gpt-image-1,whisper-1" });
      await allow();
      await setKeeping(true);
      const send = async (path: string, fields: Readonly<Record<string, string | File>>) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        const headers = { authorization: `Bearer ${key}` };
        const answer = await fetch(gateway.url + path, { method: "POST", headers, body: form });
        assert.equal(answer.status, 200);
        return { text: await answer.text(), bodies: await read(owner, await newest()) };
      };
      const content = `what is to be seen ${"of the file ".repeat(10_000)}`;
      const image = new File([content], "private.png", { type: "image/png" });
      const edit = await send("/v1/images/edits", { model: "gpt-image-1", prompt: `red, by ${SECRET}`, image });
      assert.deepEqual(JSON.parse(edit.bodies.request), { model: "gpt-image-1", prompt: "red, by [secret]" });
      assert.ok(edit.bodies.request_bytes < 1_000, "only its fields count");
      assert.match(edit.bodies.answer, /"b64_json":"/);
      const sound = new File([content], "talk.mp3", { type: "audio/mpeg" });
      const heard = await send("/v1/audio/transcriptions", { model: "whisper-1", file: sound });
      assert.deepEqual(JSON.parse(heard.bodies.request), { model: "whisper-1" });
      assert.equal(heard.bodies.answer, heard.text);
      assert.doesNotMatch(JSON.stringify(await kept()), /of the file|private\.png|talk\.mp3|aB3dE5/);
    });

    it("tell what the caller was told of a failure", async () => {
      const { gateway, setKeeping, allow, ask, newest, read, owner, testApp } = await start();
      await testApp.database.db.deleteFrom("channels").execute();
      await gateway.addChannel({ url: "http://127.0.0.1:1" });
      await allow();
      await setKeeping(true);
      const { text } = await ask("x");
      assert.equal((await read(owner, await newest())).answer, text);
    });

    it("go with their token, with what is cleared of the log, after their days, and the oldest when there are too many", async () => {
      const { setKeeping, allow, kept, root, owner, token, testApp } = await start();
      await allow();
      await setKeeping(true);
      const { database, clock, log, logStore, options, relay } = testApp.deps;
      const now = nowSeconds(clock);
      const add = (ages: readonly number[]) =>
        insertStoredBodies(
          database,
          ages.map((days) =>
            rowOf({
              request_id: `${days} ${Math.random()}`,
              token_id: token.id,
              user_id: owner.user.id,
              created_at: now - days * DAY_SECONDS,
            }),
          ),
        );
      const ages = async () =>
        (await kept()).map(({ created_at }) => Math.round((now - created_at) / DAY_SECONDS)).toSorted((a, b) => a - b);

      await add([0, 1, 2, 4, 5]);
      const retention = startLogRetentionJob(
        { database, clock, logStore },
        { options, ledger: relay.ledger.quota, runs: new JobRuns(clock, log) },
      );
      await retention.runSoon();
      await retention.stop();
      assert.deepEqual(await ages(), [0, 1, 2], "three days are what the option says at first");
      await trimBodies(database.db, 2_500);
      assert.deepEqual(await ages(), [0, 1]);
      await root.data(clearLogs, { query: { target_timestamp: now - DAY_SECONDS / 2 } });
      assert.deepEqual(await ages(), [0]);
      await owner.client.data(deleteToken, { params: { id: token.id } });
      assert.deepEqual(await ages(), []);
      await add([0]);
      assert.deepEqual(await ages(), [], "nothing is kept of a token that is gone");
    });
  });
});

function rowOf(row: Pick<StoredBodies, "request_id" | "token_id" | "user_id" | "created_at">): StoredBodies {
  const texts = {
    request: "x".repeat(500),
    answer: "y".repeat(500),
    request_bytes: 500,
    answer_bytes: 500,
    size: 1_000,
  };
  return { ...row, ...texts, request_is_truncated: 0, answer_is_truncated: 0 };
}
