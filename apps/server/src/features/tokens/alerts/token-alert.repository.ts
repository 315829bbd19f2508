import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { type Expression, type SqlBool, sql } from "kysely";
import type { IdRange } from "../../alerts/index.ts";
import type { Queryable } from "../../../core/transaction.ts";

export interface AlertedToken {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly email: string;
  readonly left: number;
  readonly over: 0 | 1;
  readonly unlimited_quota: 0 | 1;
  readonly expired_time: number;
  readonly language: string;
}

const MOST_TOKENS = 500;

export const ALERT_LEVEL = { soon: 1, over: 2 } as const;

const COUNTED_AS = "token-mails:";

/**
 * Limit of an owner's automatic mails. Token addresses are not verified and an edit arms alerts again, so one
 * account could fill any mailbox and the outbox.
 * Further mails wait.
 */
export function mailLimitOf(userId: number) {
  return { subject: `${COUNTED_AS}${userId}`, most: 20, windowSeconds: 3_600 } as const;
}

const left = sql<number>`(token_balances.remaining + coalesce((select cast(sum(share.remaining) as bigint)
  from shares as share join owners on owners.id = share.owner and owners.state = 'batch'
  where share.kind = 2 and share.account = tokens.id), 0))`;

/**
 * Tokens whose quota fell to a fifth of its setting, or is used up, since the last alert.
 * Used up means zero, or at most a fiftieth if a call was refused.
 */
export function listTokensLowOnQuota(
  queryable: Queryable,
  range: IdRange,
  { now, refusedIds }: { readonly now: number; readonly refusedIds: readonly number[] },
): Promise<AlertedToken[]> {
  const isUsedUp = sql<SqlBool>`(${left} = 0 or (${left} * 50 <= tokens.quota_ceiling and tokens.id in (${sql.join([0, ...refusedIds])})))`;
  return selectAlertedTokens(
    queryable,
    { range, now, kind: "token-quota" },
    isUsedUp,
    sql<SqlBool>`tokens.unlimited_quota = 0 and tokens.quota_ceiling > 0
      and token_balances.remaining * 5 <= tokens.quota_ceiling and ${left} * 5 <= tokens.quota_ceiling
      and (sent.level is null or (sent.level = ${ALERT_LEVEL.soon} and ${isUsedUp}))`,
  );
}

/** Tokens that expire before `soon` or expired between `since` and `now`, without an alert so far. Unix seconds. */
export function listExpiringTokens(
  queryable: Queryable,
  range: IdRange,
  { now, soon, since }: { readonly now: number; readonly soon: number; readonly since: number },
): Promise<AlertedToken[]> {
  const isOver = sql<SqlBool>`tokens.expired_time <= ${now}`;
  return selectAlertedTokens(
    queryable,
    { range, now, kind: "token-expiry" },
    isOver,
    sql<SqlBool>`tokens.expired_time <> ${NEVER_EXPIRES} and tokens.expired_time <= ${soon} and tokens.expired_time >= ${since}
      and (sent.level is null or (sent.level = ${ALERT_LEVEL.soon} and ${isOver}))`,
  );
}

export async function findNewestTokenId(queryable: Queryable): Promise<number> {
  const row = await queryable.selectFrom("tokens").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

interface AlertQuery {
  readonly range: IdRange;
  readonly now: number;
  readonly kind: "token-quota" | "token-expiry";
}

function selectAlertedTokens(
  queryable: Queryable,
  { range: { after, last }, now, kind }: AlertQuery,
  isOver: Expression<SqlBool>,
  isDue: Expression<SqlBool>,
): Promise<AlertedToken[]> {
  return (
    queryable
      .selectFrom("tokens")
      .innerJoin("token_balances", "token_balances.token_id", "tokens.id")
      .innerJoin("users", "users.id", "tokens.user_id")
      .leftJoin("alert_states as sent", (join) => join.onRef("sent.id", "=", "tokens.id").on("sent.kind", "=", kind))
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
      // A literal, so that SQLite uses the partial index of tokens with an address.
      .where("tokens.email", "<>", sql.lit(""))
      .where("tokens.id", ">", after)
      .where("tokens.id", "<=", last)
      .where("tokens.status", "<>", TOKEN_STATUS.disabled)
      .where("users.status", "=", USER_STATUS.enabled)
      .where(isDue)
      // Skips owners at their limit, so that their tokens do not fill the list.
      .where(
        sql<SqlBool>`not exists (select 1 from request_counts where subject = ${sql.lit(COUNTED_AS)} || tokens.user_id
          and made >= ${mailLimitOf(0).most} and ends_at > ${now})`,
      )
      .orderBy("tokens.id")
      .limit(MOST_TOKENS)
      .execute()
  );
}
