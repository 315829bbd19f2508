import { PAGE_SIZE } from "@one-api/contract/constants";
import type { Tables } from "@one-api/database/tables";
import { type Expression, type Insertable, type Selectable, type SqlBool, sql, type Updateable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

const TOKEN_COLUMNS = [
  "id",
  "user_id",
  "name",
  "key_cipher",
  "status",
  "created_time",
  "accessed_time",
  "expired_time",
  "remain_quota",
  "unlimited_quota",
  "used_quota",
  "models",
  "subnet",
  "rpm_limit",
  "dpm_limit",
  "tpm_limit",
  "email",
  "custom_contact",
  "moderations_enable",
] as const;

/** A token as its owner's calls need it: the key sealed, without its look-up value. */
export type TokenRow = Pick<Selectable<Tables["tokens"]>, (typeof TOKEN_COLUMNS)[number]>;

/** Everything that an edit may change but `remain_quota`, which is changed with an entry in the ledger only. */
export type TokenChanges = Omit<
  Updateable<Tables["tokens"]>,
  "id" | "user_id" | "remain_quota" | "used_quota" | "key_hmac" | "key_cipher"
>;

/** How a list is sorted: by id, by what remains (unlimited first) or by what was used; each with the highest first. */
export type TokenOrder = "default" | "remain_quota" | "used_quota";

/** Search results end here: more would be a list to page through. */
const MAX_SEARCH_RESULTS = 1_000;

/** One page of the user's tokens. */
export function listTokensOf(
  queryable: Queryable,
  userId: number,
  order: TokenOrder,
  page: number,
): Promise<TokenRow[]> {
  let query = queryable.selectFrom("tokens").select(TOKEN_COLUMNS).where("user_id", "=", userId);
  if (order === "remain_quota") query = query.orderBy("unlimited_quota", "desc").orderBy("remain_quota", "desc");
  if (order === "used_quota") query = query.orderBy("used_quota", "desc");
  return query
    .orderBy("id", "desc")
    .limit(PAGE_SIZE)
    .offset(page * PAGE_SIZE)
    .execute();
}

/** The user's tokens whose name begins with the keyword, newest first. */
export function searchTokensOf(queryable: Queryable, userId: number, keyword: string): Promise<TokenRow[]> {
  return queryable
    .selectFrom("tokens")
    .select(TOKEN_COLUMNS)
    .where("user_id", "=", userId)
    .where(nameBeginsWith(keyword))
    .orderBy("id", "desc")
    .limit(MAX_SEARCH_RESULTS)
    .execute();
}

/** How many tokens of the user have a name that begins with the keyword; an empty one counts them all. */
export async function countTokensOf(queryable: Queryable, userId: number, keyword: string): Promise<number> {
  const row = await queryable
    .selectFrom("tokens")
    .select((select) => select.fn.countAll<number>().as("total"))
    .where("user_id", "=", userId)
    .where(nameBeginsWith(keyword))
    .executeTakeFirstOrThrow();
  return row.total;
}

/** The user's token with that id; undefined when there is none or it is somebody else's. */
export function findTokenOf(queryable: Queryable, userId: number, id: number): Promise<TokenRow | undefined> {
  return queryable
    .selectFrom("tokens")
    .select(TOKEN_COLUMNS)
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** What a user has left to spend; 0 for nobody. */
export async function findOwnerQuota(queryable: Queryable, userId: number): Promise<number> {
  const row = await queryable.selectFrom("users").select("quota").where("id", "=", userId).executeTakeFirst();
  return row?.quota ?? 0;
}

/** Adds the token and returns it. */
export function insertToken(queryable: Queryable, token: Insertable<Tables["tokens"]>): Promise<TokenRow> {
  return queryable.insertInto("tokens").values(token).returning(TOKEN_COLUMNS).executeTakeFirstOrThrow();
}

/** Changes the named columns of the user's token and returns it; undefined when there is none or it is somebody else's. */
export function changeTokenOf(
  queryable: Queryable,
  userId: number,
  id: number,
  changes: TokenChanges,
): Promise<TokenRow | undefined> {
  if (Object.keys(changes).length === 0) return findTokenOf(queryable, userId, id);
  return queryable
    .updateTable("tokens")
    .set(changes)
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning(TOKEN_COLUMNS)
    .executeTakeFirst();
}

/**
 * Sets what remains of a token, unless it is no longer what was read: requests take from it at any time. Returns whether it was set.
 */
export async function replaceRemainQuota(
  queryable: Queryable,
  read: Pick<TokenRow, "id" | "remain_quota">,
  remainQuota: number,
): Promise<boolean> {
  const result = await queryable
    .updateTable("tokens")
    .set({ remain_quota: remainQuota })
    .where("id", "=", read.id)
    .where("remain_quota", "=", read.remain_quota)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** One change of a token's quota by its owner, for the ledger. */
export interface Allotment {
  readonly userId: number;
  readonly tokenId: number;
  /** Below zero when quota was taken back. */
  readonly amount: number;
  readonly requestId: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
}

/** Books quota that an owner gives to a token or takes back; the owner's own quota stays. */
export async function insertAllotment(queryable: Queryable, allotment: Allotment): Promise<void> {
  await queryable
    .insertInto("ledger_entries")
    .values({
      created_at: allotment.createdAt,
      kind: "allot",
      request_id: allotment.requestId,
      user_id: allotment.userId,
      token_id: allotment.tokenId,
      channel_id: 0,
      user_amount: 0,
      token_amount: allotment.amount,
      shortfall: 0,
      note: "",
    })
    .execute();
}

/** Deletes the user's token. Returns whether there was one. */
export async function deleteTokenOf(queryable: Queryable, userId: number, id: number): Promise<boolean> {
  const result = await queryable
    .deleteFrom("tokens")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** A comparison, not LIKE: wildcards in the keyword are plain characters then. */
function nameBeginsWith(keyword: string): Expression<SqlBool> {
  const beginning = sql<string>`lower(cast(${keyword} as text))`;
  return sql<SqlBool>`substr(lower(${sql.ref("name")}), 1, length(${beginning})) = ${beginning}`;
}
