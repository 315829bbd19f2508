import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token";
import { USER_STATUS } from "@one-api/contract/accounts/user";
import { type Expression, type SqlBool, sql } from "kysely";
import type { IdRange } from "../../alerts/index.ts";
import type { Queryable } from "../../../core/transaction.ts";

/** A token whose address is to be told something, and has not been. */
export interface TokenToTell {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  /** Where the mail goes. */
  readonly email: string;
  /** What is left, with what running requests and batches have reserved. */
  readonly left: number;
  /** 1 when it is over: the quota does not cover its calls any more, or it has expired. */
  readonly over: 0 | 1;
  readonly unlimited_quota: 0 | 1;
  /** Unix seconds; -1 for never. */
  readonly expired_time: number;
  /** What the owner reads; empty for unknown. */
  readonly language: string;
}

/** Tokens of one stretch; the rest comes with the next look. */
const MOST_TOKENS = 500;

/** How bad it is, of the quota and of the expiry alike. */
export const TOLD = { soon: 1, over: 2 } as const;

const COUNTED_AS = "token-mails:";

/**
 * Mails that an owner's tokens send by themselves. Their addresses are anybody's, and an edit arms a token anew: without a bound one account
 * could fill any mailbox, and the outbox before everybody else's mails. What is beyond it waits.
 */
export function mailLimitOf(userId: number) {
  return { subject: `${COUNTED_AS}${userId}`, most: 20, windowSeconds: 3_600 } as const;
}

/** What is left, with what batches have reserved. */
const left = sql<number>`(token_balances.remaining + coalesce((select cast(sum(share.remaining) as bigint)
  from shares as share join owners on owners.id = share.owner and owners.state = 'batch'
  where share.kind = 2 and share.account = tokens.id), 0))`;

/**
 * Tokens with an address whose quota has come down to a fifth of what it was set to, or is used up, since they were last told. Used up is
 * nothing, or at most a fiftieth where a call was refused for lack of it. `now` in Unix seconds.
 */
export function listTokensToTellOfQuota(
  queryable: Queryable,
  range: IdRange,
  { now, refusedIds }: { readonly now: number; readonly refusedIds: readonly number[] },
): Promise<TokenToTell[]> {
  const isUsedUp = sql<SqlBool>`(${left} = 0 or (${left} * 50 <= tokens.quota_ceiling and tokens.id in (${sql.join([0, ...refusedIds])})))`;
  return selectTokensToTell(
    queryable,
    { range, now, kind: "token-quota" },
    isUsedUp,
    sql<SqlBool>`tokens.unlimited_quota = 0 and tokens.quota_ceiling > 0
      and token_balances.remaining * 5 <= tokens.quota_ceiling and ${left} * 5 <= tokens.quota_ceiling
      and (told.level is null or (told.level = ${TOLD.soon} and ${isUsedUp}))`,
  );
}

/** Tokens with an address that expire before `soon`, or have expired by `now` but not before `since`, since they were last told. Unix seconds. */
export function listTokensToTellOfExpiry(
  queryable: Queryable,
  range: IdRange,
  { now, soon, since }: { readonly now: number; readonly soon: number; readonly since: number },
): Promise<TokenToTell[]> {
  const isOver = sql<SqlBool>`tokens.expired_time <= ${now}`;
  return selectTokensToTell(
    queryable,
    { range, now, kind: "token-expiry" },
    isOver,
    sql<SqlBool>`tokens.expired_time <> ${NEVER_EXPIRES} and tokens.expired_time <= ${soon} and tokens.expired_time >= ${since}
      and (told.level is null or (told.level = ${TOLD.soon} and ${isOver}))`,
  );
}

/** The newest token's id; 0 when there is none. */
export async function findNewestTokenId(queryable: Queryable): Promise<number> {
  const row = await queryable.selectFrom("tokens").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

interface Telling {
  readonly range: IdRange;
  readonly now: number;
  readonly kind: "token-quota" | "token-expiry";
}

function selectTokensToTell(
  queryable: Queryable,
  { range: { after, last }, now, kind }: Telling,
  isOver: Expression<SqlBool>,
  isDue: Expression<SqlBool>,
): Promise<TokenToTell[]> {
  return (
    queryable
      .selectFrom("tokens")
      .innerJoin("token_balances", "token_balances.token_id", "tokens.id")
      .innerJoin("users", "users.id", "tokens.user_id")
      .leftJoin("alert_states as told", (join) => join.onRef("told.id", "=", "tokens.id").on("told.kind", "=", kind))
      .select([
        "tokens.id",
        "tokens.user_id",
        "tokens.name",
        "tokens.email",
        "unlimited_quota",
        "expired_time",
        "users.language",
      ])
      .select([left.as("left"), sql<0 | 1>`case when ${isOver} then 1 else 0 end`.as("over")])
      // As a literal, so that SQLite sees that the index of tokens with an address serves.
      .where("tokens.email", "<>", sql.lit(""))
      .where("tokens.id", ">", after)
      .where("tokens.id", "<=", last)
      .where("tokens.status", "<>", TOKEN_STATUS.disabled)
      .where("users.status", "=", USER_STATUS.enabled)
      .where(isDue)
      // Those of an owner who has had enough mails must not keep others off the list.
      .where(
        sql<SqlBool>`not exists (select 1 from request_counts where subject = ${sql.lit(COUNTED_AS)} || tokens.user_id
          and made >= ${mailLimitOf(0).most} and ends_at > ${now})`,
      )
      .orderBy("tokens.id")
      .limit(MOST_TOKENS)
      .execute()
  );
}
