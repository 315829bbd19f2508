import { DEFAULT_ROOT_PASSWORD } from "@one-api/contract/constants";
import { ROLE } from "@one-api/contract/accounts/roles";
import type { OpenDatabase } from "@one-api/database/open-database";
import { violatedConstraint } from "@one-api/database/database-errors";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { EMPTY_ACCOUNT } from "./add-new-user.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { hasUsers, insertUser } from "./user.repository.ts";

const ROOT_USERNAME = "root";
const ROOT_QUOTA = 500_000_000_000_000;
const RANDOM_PASSWORD_LENGTH = 20;

export interface RootDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly ledger: QuotaLedger;
  readonly rootPassword: string | undefined;
  /** True if the server listens on loopback addresses only. */
  readonly onlyThisMachine: boolean;
}

export interface FirstLogin {
  readonly username: string;
  readonly password: string | undefined;
}

/** Creates the super administrator if there are no users. Undefined on later starts. */
export async function createRoot(deps: RootDeps): Promise<FirstLogin | undefined> {
  if (await hasUsers(deps.database.db)) return undefined;
  const isDefault = deps.rootPassword === undefined && deps.onlyThisMachine;
  const shown =
    deps.rootPassword === undefined
      ? isDefault
        ? DEFAULT_ROOT_PASSWORD
        : randomText(RANDOM_PASSWORD_LENGTH)
      : undefined;
  const passwordHash = await deps.hasher.hash(deps.rootPassword ?? shown ?? "");
  try {
    await insertRoot(deps, passwordHash, isDefault);
  } catch (error) {
    // Another server created root first.
    if (violatedConstraint(error) === "unique") return undefined;
    throw error;
  }
  return { username: ROOT_USERNAME, password: shown };
}

async function insertRoot(
  { database, clock, ledger }: RootDeps,
  passwordHash: string,
  isDefault: boolean,
): Promise<void> {
  const createdAt = nowSeconds(clock);
  await inTransaction(database, async (transaction) => {
    const userId = await insertUser(transaction, {
      ...EMPTY_ACCOUNT,
      username: ROOT_USERNAME,
      password_hash: passwordHash,
      password_is_default: isDefault ? 1 : 0,
      display_name: "Root User",
      role: ROLE.root,
      created_at: createdAt,
    });
    await ledger.grant(transaction, { userId, amount: ROOT_QUOTA, note: "first start", at: createdAt });
  });
}
