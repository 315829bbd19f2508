import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createPasswordHasher, insertUser } from "../features/users/index.ts";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";

export const SAMPLE_PASSWORD = "demo-password";

const SAMPLE_USERS = [
  { username: "ada", display_name: "Ada Byron", role: ROLE.admin, group: "vip", quota: 60_000_000 },
  { username: "linus", display_name: "Linus", role: ROLE.user, group: "default", quota: 25_000_000 },
  { username: "grace", display_name: "Grace", role: ROLE.user, group: "default", quota: 8_000_000 },
] as const;

export interface SampleUser {
  readonly id: number;
  readonly username: string;
}

/** Adds the sample users. Their quota is granted by the ledger. */
export async function addSampleUsers(database: OpenDatabase, createdAt: number): Promise<SampleUser[]> {
  const password_hash = await createPasswordHasher().hash(SAMPLE_PASSWORD);
  const users: SampleUser[] = [];
  for (const { quota, ...user } of SAMPLE_USERS) {
    const id = await insertUser(database.db, {
      ...user,
      password_hash,
      status: USER_STATUS.enabled,
      email: `${user.username}@example.com`,
      github_id: "",
      wechat_id: "",
      lark_id: "",
      access_token_hash: null,
      aff_code: null,
      inviter_id: null,
      created_at: createdAt,
    });
    await createQuotaLedger().grant(database.db, { userId: id, amount: quota, note: "demo", at: createdAt });
    users.push({ id, username: user.username });
  }
  return users;
}
