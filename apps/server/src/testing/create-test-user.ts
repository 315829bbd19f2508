import { randomUUID } from "node:crypto";
import { ROLE } from "@one-api/contract/accounts/roles";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../platform/clock.ts";
import { createPasswordHasher, insertUser } from "../features/users/index.ts";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";

export type TestRole = keyof typeof ROLE;

/** Minimum of argon2: a valid hash at little cost. */
const LEAST_MEMORY_KIB = 8;

export const testHasher = createPasswordHasher(LEAST_MEMORY_KIB);

export interface TestUser {
  readonly id: number;
  readonly username: string;
}

export interface TestUserOptions {
  readonly username?: string;
  readonly email?: string;
  /** The user has no password by default. */
  readonly password?: string;
  readonly group?: string;
  readonly quota?: number;
  readonly status?: number;
}

/** Adds a user with granted quota, so that balances match the ledger. For root, returns the existing user. */
export async function createTestUser(
  database: OpenDatabase,
  clock: Clock,
  role: TestRole,
  options: TestUserOptions = {},
): Promise<TestUser> {
  const { db } = database;
  if (role === "root")
    return db.selectFrom("users").select(["id", "username"]).where("role", "=", ROLE.root).executeTakeFirstOrThrow();
  const username = options.username ?? `${role}-${randomUUID().slice(0, 8)}`;
  const createdAt = nowSeconds(clock);
  const id = await insertUser(db, {
    username,
    password_hash: options.password === undefined ? "" : await testHasher.hash(options.password),
    display_name: username,
    role: ROLE[role],
    status: options.status ?? USER_STATUS.enabled,
    email: options.email ?? "",
    github_id: "",
    wechat_id: "",
    lark_id: "",
    access_token_hash: null,
    group: options.group ?? "default",
    aff_code: null,
    inviter_id: null,
    created_at: createdAt,
  });
  await createQuotaLedger().grant(db, { userId: id, amount: options.quota ?? 5_000_000, note: "test", at: createdAt });
  return { id, username };
}
