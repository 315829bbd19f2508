import { envelopeSchema } from "@one-api/contract/envelope";
import { createToken } from "@one-api/contract/token";
import { connectDatabase } from "@one-api/database/connect-database";
import type { DatabaseLocation } from "@one-api/database/open-database";
import { sampleUser } from "@one-api/database/testing/sample-rows";
import { sql } from "kysely";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { insertUser } from "../../apps/server/src/features/users/index.ts";

/** The password of the benchmark's own root; its gateways live in temporary folders. */
export const BENCH_PASSWORD = "bench-password";

const TOKENS_PER_CALL = 100;
const QUOTA = 1_000_000_000_000;

/** Sets up a fresh gateway through its API: a channel to the upstream, and unlimited tokens of root, whose keys it returns. */
export async function addTokens(url: string, upstream: string, model: string, count: number): Promise<string[]> {
  const login = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "root", password: BENCH_PASSWORD }),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((set) => set.split(";")[0])
    .join("; ");
  const post = async (call: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(url + call, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
    const { success, message, data } = envelopeSchema.parse(await answer.json());
    if (!success) throw new Error(`${call} was refused: ${message}`);
    return data;
  };
  await post("/api/channel/", { type: 1, name: "bench", key: "sk-bench", base_url: upstream, models: model });
  const keys: string[] = [];
  while (keys.length < count) {
    const made = await post("/api/token/", {
      name: `bench-${keys.length}`,
      unlimited_quota: true,
      rpm_limit: 0,
      tpm_limit: 0,
      dpm_limit: 0,
      batch_number: Math.min(TOKENS_PER_CALL, count - keys.length),
    });
    keys.push(...createToken.data.parse(made).created.map(({ key }) => `sk-${key}`));
  }
  return keys;
}

/**
 * Gives each token of a stopped gateway an owner of its own with plenty of quota. Then analyses PostgreSQL's tables, as
 * autovacuum would have done with so many accounts.
 */
export async function giveOwners(location: DatabaseLocation): Promise<void> {
  const database = await connectDatabase(location);
  try {
    const tokens = await database.db.selectFrom("tokens").select("id").orderBy("id").execute();
    await database.db.transaction().execute(async (transaction) => {
      let user = 0;
      for (const { id } of tokens) {
        user = await insertUser(transaction, sampleUser({ username: `bench-${id}` }));
        await createQuotaLedger().grant(transaction, { userId: user, amount: QUOTA, note: "bench", at: 0 });
      }
      // Users were added in the order of tokens, without a gap.
      const between = user - (tokens.at(-1)?.id ?? 0);
      await sql`update tokens set user_id = id + cast(${between} as integer)`.execute(transaction);
    });
    if (database.kind === "postgres") await sql`analyze`.execute(database.db);
  } finally {
    await database.close();
  }
}
