import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import { randomText } from "../core/secrets.ts";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";

/** Adds a token with allotted quota, so that balances match the ledger. Its key is not usable: for tests below HTTP. */
export async function createTestToken(
  database: OpenDatabase,
  userId: number,
  quota: number,
  unlimited = false,
): Promise<number> {
  const { id } = await database.db
    .insertInto("tokens")
    .values({
      user_id: userId,
      name: "test",
      key_hmac: randomText(64),
      key_cipher: "none",
      status: TOKEN_STATUS.enabled,
      created_time: 0,
      expired_time: -1,
      unlimited_quota: unlimited ? 1 : 0,
      models: "",
      subnet: "",
      rpm_limit: 0,
      dpm_limit: 0,
      tpm_limit: 0,
      email: "",
      custom_contact: "",
      moderations_enable: 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await createQuotaLedger().allot(database.db, { userId, tokenId: id, from: 0, to: quota, at: 0 });
  return id;
}
