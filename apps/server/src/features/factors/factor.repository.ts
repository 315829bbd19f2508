import type { Tables } from "@one-api/database/tables";
import type { Insertable, Selectable } from "kysely";
import { countRows } from "../../core/lists/list-page.ts";
import type { Queryable } from "../../core/transaction.ts";

export type TotpRow = Pick<Selectable<Tables["totp_factors"]>, "key_cipher" | "confirmed_at" | "last_step">;

export function findTotp(queryable: Queryable, userId: number): Promise<TotpRow | undefined> {
  return queryable
    .selectFrom("totp_factors")
    .select(["key_cipher", "confirmed_at", "last_step"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** Stores an unconfirmed key, replacing another one. Returns false if the user has a confirmed key. */
export async function storeUnconfirmedTotp(queryable: Queryable, userId: number, keyCipher: string): Promise<boolean> {
  const row = await queryable
    .insertInto("totp_factors")
    .values({ user_id: userId, key_cipher: keyCipher, confirmed_at: 0, last_step: 0 })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet({ key_cipher: keyCipher }).where("totp_factors.confirmed_at", "=", 0),
    )
    .returning("user_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** `confirmedAt` in Unix seconds. */
export async function storeConfirmedTotp(
  queryable: Queryable,
  userId: number,
  { keyCipher, confirmedAt }: { readonly keyCipher: string; readonly confirmedAt: number },
): Promise<void> {
  await queryable
    .insertInto("totp_factors")
    .values({ user_id: userId, key_cipher: keyCipher, confirmed_at: confirmedAt, last_step: 0 })
    .execute();
}

/** Records the time step of a used code and confirms the key. Returns false if that or a later step was used before. */
export async function takeTotpStep(
  queryable: Queryable,
  userId: number,
  { keyCipher, step, confirmedAt }: { keyCipher: string; step: number; confirmedAt: number },
): Promise<boolean> {
  const result = await queryable
    .updateTable("totp_factors")
    .set({ last_step: step, confirmed_at: confirmedAt })
    .where("user_id", "=", userId)
    .where("key_cipher", "=", keyCipher)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteTotp(queryable: Queryable, userId: number): Promise<boolean> {
  const result = await queryable.deleteFrom("totp_factors").where("user_id", "=", userId).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function replaceRecoveryCodes(
  queryable: Queryable,
  userId: number,
  codeHashes: readonly string[],
): Promise<void> {
  await queryable.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  if (codeHashes.length === 0) return;
  const rows = codeHashes.map((code_hash) => ({ user_id: userId, code_hash }));
  await queryable.insertInto("recovery_codes").values(rows).execute();
}

export function countRecoveryCodes(queryable: Queryable, userId: number): Promise<number> {
  return countRows(queryable.selectFrom("recovery_codes").where("user_id", "=", userId));
}

/** Deletes the code. Returns false if the user has no such code or another request has used it. */
export async function takeRecoveryCode(queryable: Queryable, userId: number, codeHash: string): Promise<boolean> {
  const result = await queryable
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

const PASSKEY_COLUMNS = [
  "id",
  "user_id",
  "credential_id",
  "public_key",
  "counter",
  "name",
  "created_at",
  "last_used_at",
] as const;

export type PasskeyRow = Selectable<Tables["passkeys"]>;

export function listPasskeys(queryable: Queryable, userId: number): Promise<PasskeyRow[]> {
  return queryable
    .selectFrom("passkeys")
    .select([...PASSKEY_COLUMNS])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

export function findPasskey(queryable: Queryable, credentialId: string): Promise<PasskeyRow | undefined> {
  return queryable
    .selectFrom("passkeys")
    .select([...PASSKEY_COLUMNS])
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
}

export function insertPasskey(queryable: Queryable, passkey: Insertable<Tables["passkeys"]>): Promise<PasskeyRow> {
  return queryable
    .insertInto("passkeys")
    .values(passkey)
    .returning([...PASSKEY_COLUMNS])
    .executeTakeFirstOrThrow();
}

/** Records a use. Returns false if the passkey was removed or another request has used this count or a later one. */
export async function touchPasskey(
  queryable: Queryable,
  { id, counter }: Pick<PasskeyRow, "id" | "counter">,
  use: { counter: number; at: number },
): Promise<boolean> {
  const result = await queryable
    .updateTable("passkeys")
    .set({ counter: use.counter, last_used_at: use.at })
    .where("id", "=", id)
    .where("counter", "=", counter)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function updatePasskeyName(
  queryable: Queryable,
  userId: number,
  { id, name }: { id: number; name: string },
): Promise<boolean> {
  const result = await queryable
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Returns the name of the removed passkey; undefined if the user has no such passkey. */
export async function deletePasskey(queryable: Queryable, userId: number, id: number): Promise<string | undefined> {
  const row = await queryable
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}

export async function deleteFactors(queryable: Queryable, userId: number): Promise<void> {
  await deleteTotp(queryable, userId);
  await replaceRecoveryCodes(queryable, userId, []);
  await queryable.deleteFrom("passkeys").where("user_id", "=", userId).execute();
}
