import type { Insertable, Selectable } from "kysely";
import type { UsageTokensTable } from "@one-api/database/usage-tables";
import type { Queryable } from "../../core/transaction.ts";
import type { SumKey } from "./sum-table.ts";

/** A user's token by its name. */
export type UsageToken = Insertable<UsageTokensTable>;

/** Numbers tokens that have none, each of which comes once. */
export async function numberTokens(
  queryable: Queryable,
  tokens: readonly UsageToken[],
): Promise<readonly Selectable<UsageTokensTable>[]> {
  return queryable.insertInto("usage_tokens").values(tokens).returning(["id", "user_id", "token_name"]).execute();
}

/** The key of a token in the sums: its number, or the text itself while it has none. */
export async function findTokenKey(queryable: Queryable, text: string): Promise<SumKey> {
  const slash = text.indexOf("/");
  const row = await queryable
    .selectFrom("usage_tokens")
    .select("id")
    .where("user_id", "=", Number(text.slice(0, slash)) || 0)
    .where("token_name", "=", text.slice(slash + 1))
    .executeTakeFirst();
  return row?.id ?? text;
}

/** The texts of tokens, `id/name`, in the order of their keys. */
export async function nameTokens(queryable: Queryable, keys: readonly SumKey[]): Promise<string[]> {
  const numbers = keys.filter((key) => typeof key === "number");
  const known: readonly Selectable<UsageTokensTable>[] =
    numbers.length === 0
      ? []
      : await queryable
          .selectFrom("usage_tokens")
          .select(["id", "user_id", "token_name"])
          .where("id", "in", numbers)
          .execute();
  const texts = new Map<SumKey, string>(known.map(({ id, user_id, token_name }) => [id, `${user_id}/${token_name}`]));
  return keys.map((key) => texts.get(key) ?? String(key));
}
