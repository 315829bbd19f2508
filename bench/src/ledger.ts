import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { OpenDatabase } from "@one-api/database/open-database";
import { DATABASE_KINDS, openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { sampleUser } from "@one-api/database/testing/sample-rows";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createServerLedger } from "@one-api/ledger/create-server-ledger";
import { type Ledger, type Payer, whenSettled } from "@one-api/ledger/ledger";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { systemClock } from "../../apps/server/src/platform/clock.ts";
import { createRequestId } from "../../apps/server/src/platform/requests/request-id.ts";
import { inTransaction } from "../../apps/server/src/core/transaction.ts";
import { insertUser } from "../../apps/server/src/features/users/index.ts";
import { createTestToken } from "../../apps/server/src/testing/create-test-token.ts";

// Cost of the ledger per request, in µs of this process's CPU without PostgreSQL's: `node bench/src/ledger.ts
// [requests]`.
const REQUESTS = Number(process.argv[2] ?? 60_000);
const GROUP = 30;
const QUOTA = 1_000_000_000;

const DETAIL = '{"form":2,"group":"default","charge":{"model_ratio":0.075,"completion_ratio":4}}';

for (const kind of DATABASE_KINDS) {
  if (whyMissing(kind) !== undefined) continue;
  for (const accounts of [1, 10_000]) await measure(kind, accounts);
}

async function measure(kind: OpenDatabase["kind"], accounts: number): Promise<void> {
  const database = await openTestDatabase(kind);
  const payers = await addPayers(database, accounts);
  const fail = (error: unknown): never => {
    throw error;
  };
  const server = createServerLedger({ database, clock: systemClock, warn: fail, onOutdated: fail });
  const { ledger } = server;
  await server.start();
  await run(ledger, payers, 2 * Math.max(accounts, 1_000));
  const [before, startedMs] = [process.cpuUsage(), performance.now()];
  await run(ledger, payers, REQUESTS);
  const used = process.cpuUsage(before);
  const seconds = (performance.now() - startedMs) / 1_000;
  await ledger.close();
  const differences = (await checkBalances(database)).length;
  await database.close();
  const cpuMicros = ((used.user + used.system) / REQUESTS).toFixed(1);
  const perSecond = Math.round(REQUESTS / seconds);
  console.log(
    `${kind}, ${accounts} accounts: ${cpuMicros} µs CPU a request, ${perSecond}/s, ${differences} differences`,
  );
}

async function addPayers(database: OpenDatabase, accounts: number): Promise<Payer[]> {
  const payers: Payer[] = [];
  await inTransaction(database, async (transaction) => {
    const within = { ...database, db: transaction };
    const quota = createQuotaLedger();
    for (let index = 0; index < accounts; index += 1) {
      const userId = await insertUser(transaction, sampleUser({ username: `user-${index}` }));
      await quota.grant(transaction, { userId, amount: QUOTA, note: "bench", at: 0 });
      payers.push({ userId, tokenId: await createTestToken(within, userId, QUOTA), tokenUnlimited: false });
    }
  });
  return payers;
}

/** Requests in groups that come in one turn of the event loop, each reserved and settled. */
async function run(ledger: Ledger, payers: readonly Payer[], requests: number): Promise<void> {
  for (let done = 0; done < requests; done += GROUP) {
    await Promise.all(
      Array.from({ length: GROUP }, async (_, index) => {
        const payer = payers[((done + index) * 7_919) % payers.length];
        if (payer === undefined) return;
        const requestId = createRequestId();
        const reserved = ledger.reserve({ ...payer, requestId, amount: 500, createdAt: 1 });
        if (reserved instanceof Promise) await reserved;
        await whenSettled(ledger, settlementOf(payer, requestId));
      }),
    );
  }
}

function settlementOf(payer: Payer, requestId: string) {
  return {
    ...payer,
    requestId,
    channelId: 1,
    charge: 37,
    at: 1_800_000_000,
    log: {
      user_id: payer.userId,
      created_at: 1_800_000_000,
      type: LOG_TYPE.consumption,
      content: "",
      username: "somebody",
      token_name: "a token",
      model_name: "gpt-4o-mini",
      prompt_tokens: 400,
      cached_tokens: 0,
      completion_tokens: 90,
      channel_id: 1,
      request_id: requestId,
      elapsed_time: 900,
      is_stream: 1,
      detail: DETAIL,
      result: "ok",
      status_code: 200,
      cost: 30,
      first_byte_ms: 210,
    },
  } as const;
}
