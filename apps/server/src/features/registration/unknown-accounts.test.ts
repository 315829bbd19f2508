import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { sendPasswordReset, sendVerificationCode } from "@one-api/contract/accounts/registration";
import { login } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { type KyselyPlugin, SqliteQueryCompiler } from "kysely";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { testHasher } from "../../testing/create-test-user.ts";
import type { TestAnswer } from "../../testing/test-client.ts";
import { mailOptions, setOptions } from "../../testing/set-options.ts";

/** Work for the observed request only. */
const work = new AsyncLocalStorage<string[]>();

/** Fastify calls it when the handler has its answer. */
const ANSWERED = "tracing:fastify.request.handler:asyncStart";
const noteAnswer = () => work.getStore()?.push("THE ANSWER");

/** Records each statement of the request. */
function writingDown(database: OpenDatabase): OpenDatabase {
  const compiler = new SqliteQueryCompiler();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      work.getStore()?.push(compiler.compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...database, db: database.db.withPlugin(plugin) };
}

for (const kind of DATABASE_KINDS) {
  // Time depends on the machine, so statements, hashes and mails before the answer are counted.
  describe(`[V25] [V25] an answer on ${kind} takes the same work for unknown accounts:`, { skip: whyMissing(kind) ?? false }, () => {
    let opened: OpenDatabase;
    let testApp: TestApp;
    let mailServer: MailServer;
    before(async () => {
      [opened, mailServer] = await Promise.all([openTestDatabase(kind), startMailServer()]);
      testApp = await createTestApp({ database: writingDown(opened) });
      await setOptions(testApp, mailOptions(mailServer));
      await testApp.logInAs("user", { username: "mia", email: "mia@example.com", password: "correct horse" });
      await testApp.logInAs("user", { username: "off", email: "off@example.com", password: "correct horse", status: 2 });
      await testApp.logInAs("user", { username: "no-password" });
      const verify = testHasher.verify.bind(testHasher);
      mock.method(testHasher, "verify", (password: string, hash: string | undefined) => {
        work.getStore()?.push("a hash");
        return verify(password, hash);
      });
      subscribe(ANSWERED, noteAnswer);
    });
    after(async () => {
      mock.restoreAll();
      unsubscribe(ANSWERED, noteAnswer);
      await Promise.all([testApp.close(), mailServer.close()]);
      await opened.close();
    });
    beforeEach(() => testApp.clock.advanceSeconds(3600));

    /** Work before the answer, and the answer. */
    async function watch(request: () => Promise<TestAnswer>): Promise<{ readonly text: string; readonly done: readonly string[] }> {
      const steps: string[] = [];
      const { text } = await work.run(steps, request);
      const done = steps.slice(0, steps.indexOf("THE ANSWER"));
      assert.ok(done.length > 3 && steps.includes("THE ANSWER"), "nothing was written down");
      return { text, done };
    }

    test("a login", async () => {
      const tryLogin = (username: string) => watch(() => testApp.client().send(login, { body: { username, password: "wrong" } }));
      const unknown = await tryLogin("nobody");
      assert.equal(unknown.done.filter((step) => step === "a hash").length, 1);
      for (const name of ["mia", "mia@example.com", "MIA", "off", "no-password", "nobody@example.com"])
        assert.deepEqual(await tryLogin(name), unknown, name);
    });

    test("a login to an account that its other name has blocked", async () => {
      const send = (username: string) => testApp.client().send(login, { body: { username, password: "wrong" } });
      const unknown = await watch(() => send("nobody-else@example.com"));
      for (let failure = 0; failure < 6; failure += 1) await send("mia");
      assert.deepEqual(await watch(() => send("mia@example.com")), unknown);
    });

    test("a reset mail", async () => {
      const ask = (email: string) => watch(() => testApp.client().send(sendPasswordReset, { query: { email } }));
      const unknown = await ask("nobody@example.com");
      assert.ok(!unknown.done.some((step) => step.includes('from "users"')), "until then nobody looks whether there is one");
      const seen = mailServer.mails.length;
      for (const email of ["off@example.com", "mia@example.com"]) assert.deepEqual(await ask(email), unknown, email);
      await mailServer.nextTo("mia@example.com", seen, /user\/reset/);
    });

    test("a code mail, of which each address gets one", async () => {
      const ask = async (email: string) => {
        const seen = mailServer.mails.length;
        const watched = await watch(() => testApp.client().send(sendVerificationCode, { query: { email } }));
        return { ...watched, mails: mailServer.mails.length - seen };
      };
      const unknown = await ask("nobody@example.com");
      assert.equal(unknown.mails, 1);
      for (const email of ["mia@example.com", "off@example.com"]) assert.deepEqual(await ask(email), unknown, email);
    });
  }); // prettier-ignore
}
