import { createChannel, listChannels, searchChannels } from "@one-api/contract/channels/channel";
import { CHANNEL_ORDERS } from "@one-api/contract/channels/channel-constants";
import { getAvailability } from "@one-api/contract/usage/availability";
import { getChannelTraffic } from "@one-api/contract/usage/channel-traffic";
import { getDashboard, getOwnDashboard, getTroubles } from "@one-api/contract/usage/dashboard";
import { exportLogs } from "@one-api/contract/logs/log";
import { createToken, listTokens, searchTokens } from "@one-api/contract/token";
import { TOKEN_ORDERS } from "@one-api/contract/token-constants";
import { listUsers, searchUsers } from "@one-api/contract/accounts/user-management";
import { USER_ORDERS } from "@one-api/contract/accounts/user-constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import { sampleUser } from "@one-api/database/testing/sample-rows";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { insertUser } from "../../../apps/server/src/features/users/index.ts";
import { createTestApp, type TestApp } from "../../../apps/server/src/testing/create-test-app.ts";
import { createTestClock } from "../../../apps/server/src/testing/test-clock.ts";
import { setOptions } from "../../../apps/server/src/testing/set-options.ts";
import type { LogShape } from "./fill-log.ts";

const DAY = 86_400;
const TOKENS_PER_CALL = 100;
/** Of the test app, so that a database that is kept can be opened again. */
const SECRET_KEY = "bench-secret-key-of-no-value-at-all-0123456789";
/** Of one user, beside the accounts that the log names. */
const TOKENS = 10_000;
const READERS = 9;

/** Runs some work a few times and prints how long it took. */
export type Measure = (name: string, work: (index: number) => Promise<unknown>) => Promise<void>;

/** Measures whole calls of the console, as the server makes their answers: dashboard, status page, lists and the beginning of an export, at the end of the log. */
export async function measureConsole(database: OpenDatabase, shape: LogShape, measure: Measure): Promise<void> {
  const clock = createTestClock((shape.from + shape.seconds) * 1_000);
  const app = await createTestApp({ database, clock, environment: { SECRET_KEY } });
  try {
    await setOptions(app, { StatusPageEnabled: "true" });
    await fillAccounts(app, shape);
    await measureSums(app, shape, measure, () => clock.advanceSeconds(61));
    await measureLists(app, measure);
    await measureExport(app, measure);
  } finally {
    await app.close();
  }
}

/** Users with the names that the log has, and as many channels and tokens as are listed; nothing where they are. */
async function fillAccounts(app: TestApp, { users, channels }: LogShape): Promise<void> {
  const { client, user: root } = await app.logInAs("root");
  if ((await client.data(listUsers, { query: { size: 10 } })).length > 1) return;
  await app.database.db.transaction().execute(async (transaction) => {
    for (let id = 2; id <= users; id += 1) {
      const userId = await insertUser(transaction, sampleUser({ username: `user-${id}` }));
      await createQuotaLedger().grant(transaction, { userId, amount: 1_000 * id, note: "bench", at: 0 });
    }
  });
  const keys = Array.from({ length: channels }, (_, index) => `sk-${index}`).join("\n");
  const models = Array.from({ length: 25 }, (_, index) => `model-${index + 1}`).join(",");
  await client.data(createChannel, { body: { type: 1, name: "bench", key: keys, models } });
  const owner = await app.clientOf(root.id);
  for (let made = 0; made < TOKENS; made += TOKENS_PER_CALL)
    await owner.data(createToken, {
      body: {
        name: `bench-${made}`,
        unlimited_quota: true,
        budget: { quota: 1_000_000, period: "monthly" },
        batch_number: TOKENS_PER_CALL,
      },
    });
}

async function measureSums(
  app: TestApp,
  { from, seconds }: LogShape,
  measure: Measure,
  nextMinute: () => void,
): Promise<void> {
  const { client } = await app.logInAs("root");
  const end = from + seconds - 5.5 * 3_600;
  for (const [time, parts, length] of [
    ["all", 30, seconds / 30],
    ["month", 30, DAY],
    ["week", 7, DAY],
    ["day", 24, 3_600],
  ] as const) {
    const start = end - parts * length;
    const edges = Array.from({ length: parts + 1 }, (_, index) => Math.floor(start + index * length)).join(",");
    const before = `${Math.floor(2 * start - end)},${Math.floor(start)}`;
    for (const by of ["model", "channel", "user", "token"] as const)
      await measure(`dashboard, ${time} by ${by}`, () =>
        client.data(getDashboard, { query: { edges, before, by, metric: "margin" } }),
      );
    await measure(`dashboard, ${time} by model, split`, () =>
      client.data(getDashboard, { query: { edges, before, by: "model", series: 6 } }),
    );
    const heavy = await app.clientOf(1);
    await measure(`own dashboard, ${time}, heavy user`, () =>
      heavy.data(getOwnDashboard, { query: { edges, before } }),
    );
  }
  await measure("troubles", () => client.data(getTroubles));
  await measure("status page", () => {
    nextMinute();
    return client.data(getAvailability);
  });
  await measure("a channel's last day (another each time)", (index) =>
    client.data(getChannelTraffic, { params: { id: index + 1 } }),
  );
}

async function measureLists(app: TestApp, measure: Measure): Promise<void> {
  const { client } = await app.logInAs("root");
  const page = { size: 100, p: 5 };
  for (const order of USER_ORDERS)
    await measure(`users by ${order}`, () => client.data(listUsers, { query: { ...page, order } }));
  await measure("users, searched", () => client.data(searchUsers, { query: { ...page, p: 0, keyword: "user-7" } }));
  for (const order of CHANNEL_ORDERS)
    await measure(`channels by ${order}`, () => client.data(listChannels, { query: { ...page, order } }));
  await measure("channels, searched", () =>
    client.data(searchChannels, { query: { ...page, p: 0, keyword: "bench" } }),
  );
  for (const order of TOKEN_ORDERS)
    await measure(`tokens by ${order}`, () => client.data(listTokens, { query: { ...page, order } }));
  await measure("tokens, searched", () => client.data(searchTokens, { query: { ...page, p: 0, keyword: "bench-9" } }));
}

/**
 * Time to the first lines of all users' log; the rest is not read. Each run has another administrator, since an abort
 * may be noticed late.
 */
async function measureExport(app: TestApp, measure: Measure): Promise<void> {
  const address = await app.app.listen({ port: 0, host: "127.0.0.1" });
  const sessions: (string | undefined)[] = [];
  for (let count = 0; count < READERS; count += 1) sessions.push((await app.logInAs("admin")).client.sessionId());
  await measure("export, first lines", async (index) => {
    const stop = new AbortController();
    const read = () =>
      fetch(`${address}${exportLogs.path}?format=csv`, {
        headers: { cookie: `session=${sessions[index % READERS]}` },
        signal: stop.signal,
      });
    let answer = await read();
    while (answer.status === 429) answer = await read();
    if (!answer.ok || answer.body === null) throw new Error(await answer.text());
    await answer.body.getReader().read();
    stop.abort();
  });
}
