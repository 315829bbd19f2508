import type { Tables } from "@one-api/database/tables";
import { randomBytes } from "node:crypto";
import { type Insertable, sql } from "kysely";
import { type Account, ACCOUNT_KIND } from "./accounts.ts";
import { clearLogs } from "./clear-logs.ts";
import { IS_ENTRY } from "./storage/journal-columns.ts";
import type { Allotment, Queryable, QuotaLedger, QuotaSetting } from "./quota.ts";
import { setBudget } from "./set-budget.ts";

const ID_BYTES = 18;

/** The features' part of a ledger. `recall` has servers return what they hold of accounts. */
export function createQuotaLedger(
  reclaim: (accounts: readonly Account[]) => Promise<void> = async () => undefined,
): QuotaLedger {
  return {
    async grant(transaction, { userId, amount, note, at }) {
      if (amount === 0) return true;
      if (!(await addToPool(transaction, { kind: ACCOUNT_KIND.user, id: userId }, amount))) return false;
      await insertGrant(transaction, { kind: "grant", user_id: userId, user_amount: amount, note, created_at: at });
      return true;
    },
    async redeem(transaction, { userId, redemptionId, amount, at }) {
      if (!(await addToPool(transaction, { kind: ACCOUNT_KIND.user, id: userId }, amount))) return false;
      // Kind and request id are unique together, and the id of a code is never used again.
      const entry = { kind: "redeem", request_id: `redemption:${redemptionId}`, user_id: userId, created_at: at };
      await insertGrant(transaction, { ...entry, user_amount: amount });
      return true;
    },
    setUserQuota,
    allot,
    setBudget,
    clearLogs,
    reclaimUserQuota: (userId) => reclaim([{ kind: ACCOUNT_KIND.user, id: userId }]),
    reclaimTokenQuota: (tokenId) => reclaim([{ kind: ACCOUNT_KIND.token, id: tokenId }]),
    lockUserPool: (transaction, userId) => lockPool(transaction, { kind: ACCOUNT_KIND.user, id: userId }),
  };
}

async function setUserQuota(
  transaction: Queryable,
  { userId, to, note, at }: QuotaSetting,
): ReturnType<QuotaLedger["setUserQuota"]> {
  const account = { kind: ACCOUNT_KIND.user, id: userId };
  const pool = await lockPool(transaction, account);
  const from = await readTotal(transaction, account);
  const change = Math.max(to - from, -pool);
  if (change === 0) return { from, to: from };
  if (!(await addToPool(transaction, account, change))) return undefined;
  await insertGrant(transaction, { kind: "grant", user_id: userId, user_amount: change, note, created_at: at });
  return { from, to: from + change };
}

async function allot(
  transaction: Queryable,
  { userId, tokenId, from, to, at }: Allotment,
): Promise<number | undefined> {
  if (from === to) return 0;
  const account = { kind: ACCOUNT_KIND.token, id: tokenId };
  const owned = await transaction
    .selectFrom("tokens")
    .select("id")
    .where("id", "=", tokenId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (owned === undefined) return undefined;
  const pool = await lockPool(transaction, account);
  // Requests charge the token at any time, and those charges are final.
  if ((await readTotal(transaction, account)) !== from) return undefined;
  const change = Math.max(to - from, -pool);
  if (!(await addToPool(transaction, account, change))) return undefined;
  await insertEntry(transaction, {
    kind: "allot",
    user_id: userId,
    token_id: tokenId,
    token_amount: change,
    created_at: at,
  });
  return from + change - to;
}

/** Changes what the pool has, unless that would be less than nothing or the account more than a number holds exactly. */
async function addToPool(transaction: Queryable, { kind, id }: Account, amount: number): Promise<boolean> {
  const most = Number.MAX_SAFE_INTEGER - Math.max(0, amount);
  const { numAffectedRows } = await sql`
    update shares set remaining = remaining + ${amount}
    where kind = ${kind} and account = ${id} and owner = 0 and remaining + ${amount} >= 0
      and (select sum(remaining) from shares as part where part.kind = ${kind} and part.account = ${id}) <= ${most}`.execute(
    transaction,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

/** Returns the pool's share, locked until the transaction ends; 0 without such an account. */
async function lockPool(transaction: Queryable, { kind, id }: Account): Promise<number> {
  const { rows } = await sql<{ remaining: number }>`
    update shares set remaining = remaining where kind = ${kind} and account = ${id} and owner = 0 returning remaining`.execute(
    transaction,
  );
  return rows[0]?.remaining ?? 0;
}

async function readTotal(transaction: Queryable, { kind, id }: Account): Promise<number> {
  const [account, amount] = kind === ACCOUNT_KIND.user ? ["user_id", "quota"] : ["token_id", "token_amount"];
  const paid = sql.ref(`logs.${amount}`);
  const { rows } = await sql<{ total: number }>`
    select cast(coalesce(sum(remaining), 0) - coalesce((
      select sum(case logs.type when 2 then ${paid} else -${paid} end) from owners cross join logs
      where owners.state <> 'batch' and +logs.owner = owners.id and logs.id > owners.applied_id and ${sql.ref(`logs.${account}`)} = ${id} and ${sql.raw(IS_ENTRY)}), 0) as bigint) as total
    from shares where kind = ${kind} and account = ${id}
      and owner not in (select id from owners where state = 'batch')`.execute(transaction);
  return rows[0]?.total ?? 0;
}

type EntryRow = Insertable<Tables["ledger_entries"]>;
type NewEntry = Pick<EntryRow, "kind" | "user_id" | "created_at"> & Partial<EntryRow>;

/** Appends an entry about a user's quota, with the balance after it, including reservations of batches. */
async function insertGrant(transaction: Queryable, entry: NewEntry): Promise<void> {
  const account = { kind: ACCOUNT_KIND.user, id: entry.user_id };
  const { rows } = await sql<{ reserved: number }>`
    select cast(coalesce(sum(shares.remaining), 0) as bigint) as reserved from shares join owners on owners.id = shares.owner
    where shares.kind = ${account.kind} and shares.account = ${account.id} and owners.state = 'batch'`.execute(
    transaction,
  );
  const user_remaining = Math.max(0, await readTotal(transaction, account)) + (rows[0]?.reserved ?? 0);
  await insertEntry(transaction, { ...entry, user_remaining });
}

/** Appends an entry to the ledger, under an id of its own unless it has one. */
export async function insertEntry(transaction: Queryable, entry: NewEntry): Promise<void> {
  const request_id = `${entry.kind}:${randomBytes(ID_BYTES).toString("base64url")}`;
  const empty = { token_id: 0, user_amount: 0, token_amount: 0, note: "" };
  await transaction
    .insertInto("ledger_entries")
    .values({ ...empty, request_id, ...entry })
    .execute();
}
