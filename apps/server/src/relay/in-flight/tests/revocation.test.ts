import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { deleteChannel, updateChannel } from "@one-api/contract/channels/channel";
import { deleteToken, updateToken } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { manageUser, updateUser } from "@one-api/contract/accounts/user-management";
import type { TestLogin } from "../../../testing/create-test-app.ts";
import { CHAT, chatBody, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";
import { endRevoked } from "../index.ts";
import { RelayError } from "../../errors/index.ts";

describe("a stream whose leave ends while it runs", () => {
  let gateway: RelayTest;
  beforeEach(async () => {
    gateway = await startRelayTest();
    const upstream = await gateway.upstream();
    upstream.setBehaviour({ kind: "endless", chunkDelayMs: 5 });
    await gateway.addChannel(upstream);
  });
  afterEach(() => gateway.close());

  /** Starts a stream and returns what comes of it after the work. */
  async function streamDuring(key: string, work: () => Promise<unknown>): Promise<string> {
    const answer = await gateway.post(CHAT, key, chatBody("x", { stream: true }));
    assert.equal(answer.status, 200);
    const reader = answer.body?.getReader();
    await reader?.read();
    await work();
    let text = "";
    for (;;) {
      const bytes: unknown = (await reader?.read())?.value;
      if (!(bytes instanceof Uint8Array)) return text;
      text += Buffer.from(bytes).toString();
    }
  }

  const revocations: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    [
      "its token is disabled",
      "token_disabled",
      () =>
        gateway.root.data(updateToken, {
          query: { status_only: "true" },
          body: { id: 1, status: TOKEN_STATUS.disabled },
        }),
    ],
    ["its token is deleted", "invalid_api_key", () => gateway.root.data(deleteToken, { params: { id: 1 } })],
    [
      "its channel is disabled",
      "channel_disabled",
      () => gateway.root.data(updateChannel, { body: { id: 1, status: CHANNEL_STATUS.disabled } }),
    ],
    ["its channel is deleted", "channel_disabled", () => gateway.root.data(deleteChannel, { params: { id: 1 } })],
  ];
  for (const [name, code, revoke] of revocations) {
    it(`ends with an error event and is charged for what was delivered: ${name}`, async () => {
      const key = await gateway.addToken();
      const text = await streamDuring(key, async () => {
        await endRevoked(gateway.testApp.deps.relay);
        await revoke();
        await endRevoked(gateway.testApp.deps.relay);
      });
      assert.match(text, new RegExp(`"code":"${code}"\\}\\}\\n\\n$`));
      assert.doesNotMatch(text, /\[DONE\]/);
      await gateway.testApp.deps.relay.inFlight.idle();
      const books = await gateway.books();
      assert.deepEqual([books.open, books.differences, books.logs.length], [0, 0, 1]);
      assert.ok(books.charged > 0);
      assert.equal(books.logs[0]?.result, "cut");
    });
  }

  for (const action of ["disable", "delete"] as const) {
    it(`[V14] ends when its user is ${action}d, and is charged for what was delivered`, async () => {
      const { client, user } = await gateway.testApp.logInAs("user", { quota: 50_000_000 });
      const key = await gateway.addToken({}, client);
      const text = await streamDuring(key, async () => {
        await gateway.root.data(manageUser, { body: { username: user.username, action } });
        await endRevoked(gateway.testApp.deps.relay);
      });
      assert.match(text, /"code":"account_disabled"\}\}\n\n$/);
      await gateway.testApp.deps.relay.inFlight.idle();
      const books = await gateway.books();
      assert.deepEqual([books.open, books.differences, books.logs[0]?.result], [0, 0, "cut"]);
      assert.ok(books.charged > 0);
      assert.ok((await gateway.post(CHAT, key, chatBody("again"))).status >= 400);
    });
  }

  const changes: readonly (readonly [string, (owner: TestLogin) => Promise<unknown>])[] = [
    [
      "only another token is disabled",
      async ({ client }) => {
        await gateway.addToken({ remain_quota: 1 }, client);
        const body = { id: 2, status: TOKEN_STATUS.disabled };
        await client.data(updateToken, { query: { status_only: "true" }, body });
      },
    ],
    [
      "its token may not call the model any more",
      ({ client }) => client.data(updateToken, { query: {}, body: { id: 1, models: "another-model" } }),
    ],
    [
      "its user comes into another group",
      ({ user }) => gateway.root.data(updateUser, { body: { id: user.id, group: "vip" } }),
    ],
  ];
  for (const [name, change] of changes) {
    it(`goes on when ${name}`, async () => {
      const owner = await gateway.testApp.logInAs("user", { quota: 50_000_000 });
      const key = await gateway.addToken({}, owner.client);
      const text = await streamDuring(key, async () => {
        await change(owner);
        await endRevoked(gateway.testApp.deps.relay);
        const error = new RelayError({ status: 503, code: "gateway_stopped", message: "The test stops the gateway." });
        gateway.testApp.deps.relay.inFlight.endAll(error);
      });
      assert.match(text, /"code":"gateway_stopped"\}\}\n\n$/);
    });
  }
});
