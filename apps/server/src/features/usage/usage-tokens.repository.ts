import type { OpenDatabase } from "@one-api/database/open-database";
import type { Insertable, Selectable } from "kysely";
import type { UsageTokensTable } from "@one-api/database/usage-tables";
import { RememberedRows } from "../../core/database/remembered-rows.ts";
import type { Queryable } from "../../core/transaction.ts";
import type { SumKey } from "./sum-table.ts";
import type { FinestSums, SumsWithoutKey } from "./usage.repository.ts";

/** Rows of one statement. */
const TOKENS_PER_INSERT = 500;

/** Writes at once. */
export type Write = <Result>(work: (queryable: Queryable) => Promise<Result>) => Promise<Result>;

/** Numbers of tokens by their texts, which never change. */
const tokenNumbers = new RememberedRows<number>();

/** A token by its text, as it stands in the sums while it has no number. */
const textOf = ({ userId, tokenName }: Pick<FinestSums, "userId" | "tokenName">): string => `${userId}/${tokenName}`;

/** The numbers of the tokens of one step. To look each up was a quarter of a step's work with 10,000 users. */
export class TokenNumbers {
  readonly #database: OpenDatabase;
  readonly #read = new Map<string, number>();

  constructor(database: OpenDatabase) {
    this.#database = database;
  }

  /** Gives each token its number; those that are seen for the first time get one. */
  async number(write: Write, added: readonly SumsWithoutKey[]): Promise<FinestSums[]> {
    const ofDatabase = tokenNumbers.of(this.#database);
    const numbers = new Map<string, number>();
    const unknown = new Map<string, Insertable<UsageTokensTable>>();
    for (const sums of added) {
      const text = textOf(sums);
      const id = ofDatabase.get(text);
      if (id === undefined) unknown.set(text, { user_id: sums.userId, token_name: sums.tokenName });
      else numbers.set(text, id);
    }
    const tokens = [...unknown.values()];
    for (let start = 0; start < tokens.length; start += TOKENS_PER_INSERT) {
      const some = tokens.slice(start, start + TOKENS_PER_INSERT);
      for (const { id, user_id, token_name } of await write((queryable) => numberTokens(queryable, some)))
        this.#read.set(`${user_id}/${token_name}`, id);
    }
    return added.map((sums) => {
      const text = textOf(sums);
      return { ...sums, token: numbers.get(text) ?? this.#read.get(text) ?? text };
    });
  }

  /** Says that what was numbered is committed. */
  keep(): void {
    tokenNumbers.keep(this.#database, this.#read);
  }
}

/** Tokens that have a number already are answered with it. */
function numberTokens(
  queryable: Queryable,
  tokens: readonly Insertable<UsageTokensTable>[],
): Promise<readonly Selectable<UsageTokensTable>[]> {
  return queryable
    .insertInto("usage_tokens")
    .values(tokens)
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "token_name"])
        .doUpdateSet((update) => ({ user_id: update.ref("excluded.user_id") })),
    )
    .returning(["id", "user_id", "token_name"])
    .execute();
}

/** Adds the keys of tokens as they stand in the sums, to which nothing new is added. */
export async function withTokenKeys(queryable: Queryable, lost: readonly SumsWithoutKey[]): Promise<FinestSums[]> {
  const keyed: FinestSums[] = [];
  for (const sums of lost) keyed.push({ ...sums, token: await findTokenKey(queryable, textOf(sums)) });
  return keyed;
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
