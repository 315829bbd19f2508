import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { BudgetInput } from "@one-api/contract/budget";
import { setGroupBudget } from "@one-api/contract/limits/group-budget";
import { createToken, deleteToken, rollTokenKey, updateToken } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { manageUser, updateUser } from "@one-api/contract/accounts/user-management";
import { whyMissing } from "@one-api/database/test-databases";
import { CHAT, chatBody, errorOf, type RelayTest } from "../../testing/start-relay-test.ts";
import { startTwoServers } from "../../testing/start-two-servers.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

/** A caller whose calls are refused or accepted after a change on the other server. */
interface Called {
  readonly root: TestClient;
  readonly owner: TestClient;
  readonly user: { readonly id: number; readonly username: string };
  readonly token: { readonly id: number };
}

const change = (fields: object) => (called: Called) =>
  called.owner.data(updateToken, { body: { id: called.token.id, ...fields } });
const setStatus = (status: number) => (called: Called) =>
  called.owner.data(updateToken, { query: { status_only: "true" }, body: { id: called.token.id, status } });
const manage = (action: "disable" | "delete") => (called: Called) =>
  called.root.data(manageUser, { body: { username: called.user.username, action } });
const inGroup = (group: string) => (called: Called) =>
  called.root.data(updateUser, { body: { id: called.user.id, group } });
const setBudgetOfGroup = (budget: BudgetInput) => (called: Called) =>
  called.root.data(setGroupBudget, { body: { group: "default", budget } });
const FORCE_MS = 1_000;
const HOUR_AGO = Math.floor(Date.now() / 1_000) - 3_600;

const ENDS: readonly (readonly [name: string, end: (called: Called) => Promise<unknown>, code: string])[] = [
  ["its token is disabled", setStatus(TOKEN_STATUS.disabled), "token_disabled"],
  ["its token is deleted", (c) => c.owner.data(deleteToken, { params: { id: c.token.id } }), "invalid_api_key"],
  ["its token expires", change({ expired_time: HOUR_AGO }), "token_expired"],
  [
    "its key is replaced",
    (c) => c.owner.data(rollTokenKey, { params: { id: c.token.id }, body: { overlap_seconds: 0 } }),
    "key_replaced",
  ],
  ["its token gets other networks", change({ subnet: "10.1.2.0/24" }), "network_not_allowed"],
  ["its token gets other models", change({ models: "another" }), "model_not_allowed"],
  ["its token gets a limit of requests", change({ rpm_limit: 1 }), "rate_limit_exceeded"],
  ["its token gets a quota", change({ unlimited_quota: false, remain_quota: 1 }), "insufficient_quota"],
  ["its token gets a budget", change({ budget: { quota: 1, period: "daily" } }), "budget_exceeded"],
  ["its user is disabled", manage("disable"), "account_disabled"],
  ["its user is deleted", manage("delete"), "account_disabled"],
  ["its user gets another group", inGroup("vip"), "model_not_found"],
];

describe("a caller that changes on one of two servers", { skip: whyMissing("postgres") ?? false }, () => {
  const both = startTwoServers();
  before(async () => {
    const [one] = both();
    await one.addChannel(await one.upstream());
  });

  const call = (server: RelayTest, key: string) => server.post(CHAT, key, chatBody("hello"));

  /** Calls until the change takes effect. Calls that begin a second after it must all see it. */
  async function inForce(server: RelayTest, key: string, isSo: (status: number) => boolean): Promise<void> {
    const changedMs = performance.now();
    await waitUntil(async () => {
      const beganMs = performance.now();
      const answer = await call(server, key);
      await answer.text();
      if (isSo(answer.status)) return true;
      assert.ok(beganMs - changedMs < FORCE_MS, `A call ${Math.round(beganMs - changedMs)} ms later missed it.`);
      return false;
    });
  }

  async function addCaller(): Promise<Called & { readonly key: string }> {
    const [one] = both();
    const { client: owner, user } = await one.testApp.logInAs("user", { quota: 50_000_000 });
    const token = await owner.data(createToken, {
      body: { name: "a caller's", unlimited_quota: true, rpm_limit: 1_000, tpm_limit: 0 },
    });
    return { root: one.root, owner, user, token, key: `sk-${token.key}` };
  }

  for (const [name, end, code] of ENDS) {
    it(`is refused by the other one within a second: ${name}`, async () => {
      const [, other] = both();
      const caller = await addCaller();
      assert.equal((await call(other, caller.key)).status, 200);
      await end(caller);
      await inForce(other, caller.key, (status) => status !== 200);
      const answers = await Promise.all([1, 2, 3].map(() => call(other, caller.key)));
      const codes = await Promise.all(answers.map(async (answer) => (await errorOf(answer)).code));
      assert.deepEqual(codes, [code, code, code]);
      assert.equal((await other.books()).differences, 0);
    });
  }

  it("is refused and accepted by the other one within a second, repeatedly", async () => {
    const [, other] = both();
    const caller = await addCaller();
    assert.equal((await call(other, caller.key)).status, 200);
    const changes = [
      [setStatus(TOKEN_STATUS.disabled), setStatus(TOKEN_STATUS.enabled), "token_disabled"],
      [change({ models: "another" }), change({ models: "" }), "model_not_allowed"],
      [change({ rpm_limit: 1 }), change({ rpm_limit: 1_000 }), "rate_limit_exceeded"],
      [inGroup("vip"), inGroup("default"), "model_not_found"],
      [setBudgetOfGroup({ quota: 1, period: "daily" }), setBudgetOfGroup(null), "budget_exceeded"],
    ] as const;
    for (const [close, open, code] of changes) {
      await close(caller);
      await inForce(other, caller.key, (status) => status !== 200);
      assert.equal((await errorOf(await call(other, caller.key))).code, code);
      await open(caller);
      await inForce(other, caller.key, (status) => status === 200);
      assert.equal((await call(other, caller.key)).status, 200, code);
    }
    assert.equal((await other.books()).differences, 0);
  });

  it("is served during repeated changes, and charged once per call", async () => {
    const [, other] = both();
    const caller = await addCaller();
    const logged = (await other.books()).logs.length;
    const statuses: number[] = [];
    const calls = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let count = 0; count < 10; count += 1) statuses.push((await call(other, caller.key)).status);
      }),
    );
    for (let limit = 200; limit < 215; limit += 1) await change({ rpm_limit: limit })(caller);
    await calls;
    await other.testApp.deps.relay.inFlight.idle();
    const { logs, differences, open } = await other.books();
    assert.deepEqual([new Set(statuses), logs.length - logged, differences, open], [new Set([200]), 40, 0, 0]);
  });
});
