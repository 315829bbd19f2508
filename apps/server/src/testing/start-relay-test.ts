import assert from "node:assert/strict";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { createChannel } from "@one-api/contract/channels/channel";
import type { CreateChannelInput } from "@one-api/contract/channels/channel-input";
import { createToken, type CreateTokenInput } from "@one-api/contract/token";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { DatabaseKind } from "@one-api/database/test-databases";
import { type StubServer, startStubServer } from "@one-api/stub-server/start-stub-server";
import OpenAI from "openai";
import { z } from "zod";
import { type Clock, systemClock } from "../platform/clock.ts";
import { readDetail } from "../features/logs/index.ts";
import { checkBalances } from "@one-api/ledger/check-balances";
import type { LedgerParts } from "@one-api/ledger/create-server-ledger";
import { REFUND_TYPE } from "@one-api/ledger/storage/journal-columns";
import { serverAddress } from "../listen.ts";
import { createTestApp, type TestApp } from "./create-test-app.ts";
import type { TestClient } from "./test-client.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import type { RelayTimeouts } from "../relay/relay-timeouts.ts";

export interface RelayTest {
  readonly testApp: TestApp;
  readonly root: TestClient;
  readonly url: string;
  upstream(): Promise<StubServer>;
  /** Adds an enabled channel of OpenAI's type, or the type in `more`, to its vendor's stub or to a server of the test's own. */
  addChannel(upstream: ChannelUpstream, more?: Partial<CreateChannelInput>): Promise<void>;
  /** Adds a token for the client's user (root's by default) and returns its whole key. */
  addToken(more?: Partial<CreateTokenInput>, owner?: TestClient): Promise<string>;
  sdk(key: string): OpenAI;
  post(path: string, key: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Charges less refunds, the log, and the differences between balances and ledger. */
  books(): Promise<{
    charged: number;
    refunds: number;
    logs: readonly RelayLog[];
    differences: number;
    open: number;
  }>;
  /**
   * The log entry of the last call that the gateway did not refuse, once all have ended. Throws if balances
   * differ from the ledger.
   */
  lastLog(): Promise<RelayLog>;
  close(): Promise<void>;
}

/** A stub server, or another server with one API. */
export type ChannelUpstream = Pick<StubServer, "at"> | { readonly url: string };

/** Base URL of a channel of a type. */
export function baseUrlOf(upstream: ChannelUpstream, type: number): string {
  return "at" in upstream ? upstream.at(type) : upstream.url;
}

export interface RelayLog {
  readonly token_id: number;
  readonly quota: number;
  readonly content: string;
  /** Complete, as JSON. The database stores a compact form. */
  readonly detail: string;
  readonly channel_id: number;
  readonly model_name: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly result: string;
  readonly status_code: number;
  readonly first_byte_ms: number;
}

export interface RelayTestOptions {
  readonly kind?: DatabaseKind;
  /** A migrated database, which the test closes, instead of a new one. */
  readonly database?: OpenDatabase;
  readonly timeouts?: Partial<RelayTimeouts>;
  readonly aroundStorage?: LedgerParts["aroundStorage"];
  readonly environment?: Readonly<Record<string, string>>;
  /** Instead of the system clock. */
  readonly clock?: Clock;
}

const ALL_LOGS = 1_000_000;

export const CHAT = "/v1/chat/completions";

export const TEST_MODEL = "gpt-4o-mini";

/** Starts the gateway on a free port. Close it after the test. */
export async function startRelayTest(options: RelayTestOptions = {}): Promise<RelayTest> {
  const testApp = await createTestApp({ clock: systemClock, ...options });
  const upstreams: StubServer[] = [];
  await testApp.app.listen({ port: 0, host: "127.0.0.1" });
  const url = serverAddress(testApp.app).replace("localhost", "127.0.0.1");
  const { client: root } = await testApp.logInAs("root");
  const logsOf = (limit: number) =>
    testApp.database.db
      .selectFrom("logs")
      .select([
        "token_id",
        "quota",
        "content",
        "detail",
        "channel_id",
        "model_name",
        "prompt_tokens",
        "completion_tokens",
      ])
      .select(["result", "status_code", "first_byte_ms"])
      .where("type", "=", 2)
      .orderBy("id", "desc")
      .limit(limit);
  const balance = async () => {
    await testApp.deps.relay.refusals.flush(true);
    const differences = await checkBalances(testApp.database);
    return { differences: differences.length, open: testApp.deps.relay.ledger.open };
  };
  const books: RelayTest["books"] = async () => {
    const balanced = await balance();
    const logs = (await logsOf(ALL_LOGS).execute()).toReversed().map(withWholeDetail);
    const refunds = await testApp.database.db
      .selectFrom("logs")
      .select("quota")
      .where("type", "=", REFUND_TYPE)
      .execute();
    return { charged: sumOf(logs) - sumOf(refunds), refunds: refunds.length, logs, ...balanced };
  };
  return {
    testApp,
    root,
    url,
    async upstream() {
      const upstream = await startStubServer();
      upstreams.push(upstream);
      return upstream;
    },
    async addChannel(upstream, more = {}) {
      await root.data(createChannel, {
        body: {
          type: 1,
          name: "test",
          key: "sk-upstream",
          base_url: baseUrlOf(upstream, more.type ?? 1),
          models: TEST_MODEL,
          status: CHANNEL_STATUS.enabled,
          ...more,
        },
      });
    },
    async addToken(more = {}, owner = root) {
      const token = await owner.data(createToken, {
        body: { name: "test", rpm_limit: 0, tpm_limit: 0, remain_quota: 50_000_000, ...more },
      });
      return `sk-${token.key}`;
    },
    sdk: (key) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }),
    post: (path, key, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    books,
    async lastLog() {
      await testApp.deps.relay.inFlight.idle();
      assert.deepEqual(await balance(), { differences: 0, open: 0 });
      const log = await logsOf(1).where("result", "!=", "refused").executeTakeFirst();
      return log === undefined ? assert.fail("nothing was logged") : withWholeDetail(log);
    },
    async close() {
      await testApp.close();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
    },
  };
}

/** A chat request. A marker in `content` controls the stub's answer. */
export function chatBody(content: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { model: TEST_MODEL, messages: [{ role: "user", content }], max_tokens: 200, ...more };
}

const errorSchema = z.object({
  error: z.object({ message: z.string(), code: z.string().nullable(), type: z.string() }),
});

/** Throws if the error is not in OpenAI's format. */
export async function errorOf(answer: Response): Promise<z.infer<typeof errorSchema>["error"]> {
  return errorSchema.parse(await answer.json()).error;
}

/** Repeats a call until it is refused: the relay learns of a change a moment after the commit. */
export async function whenRefused(ask: () => Promise<Response>): Promise<Response> {
  let answer = await ask();
  await waitUntil(async () => {
    if (answer.status !== 200) return true;
    await answer.text();
    answer = await ask();
    return false;
  });
  return answer;
}

function sumOf(rows: readonly { readonly quota: number }[]): number {
  return rows.reduce((sum, { quota }) => sum + quota, 0);
}

function withWholeDetail(log: RelayLog): RelayLog {
  const detail = log.detail === "" ? undefined : readDetail(JSON.parse(log.detail), log);
  return detail === undefined ? log : { ...log, detail: JSON.stringify(detail) };
}
