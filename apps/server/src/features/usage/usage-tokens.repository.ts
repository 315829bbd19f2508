import type { Insertable, Selectable } from "kysely";
import type { UsageTokensTable } from "@one-api/database/tables";
import { sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";
import type { SumKey } from "./sum-table.ts";
import type { IdStretch } from "./usage.repository.ts";
import { COUNTED } from "./usage-sums.ts";

/** A user's token by its name. */
export type UsageToken = Insertable<UsageTokensTable>;

/** Tokens of the entries that have no number yet. */
export async function listUnnumberedTokens(
  queryable: Queryable,
  { after, last }: IdStretch,
): Promise<readonly UsageToken[]> {
  const { rows } = await sql<UsageToken>`
    select distinct user_id, token_name from logs where id > ${after} and id <= ${last} and ${COUNTED} and not exists (
      select 1 from usage_tokens where usage_tokens.user_id = logs.user_id and usage_tokens.token_name = logs.token_name)`.execute(
    queryable,
  );
  return rows;
}

export async function numberTokens(queryable: Queryable, tokens: readonly UsageToken[]): Promise<void> {
  await queryable.insertInto("usage_tokens").values(tokens).execute();
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
