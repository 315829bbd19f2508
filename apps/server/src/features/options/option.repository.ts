import { randomBytes, randomUUID } from "node:crypto";
import type { Option } from "@one-api/contract/options/option";
import type { Queryable } from "../../core/transaction.ts";

export function listStoredOptions(queryable: Queryable): Promise<Option[]> {
  return queryable.selectFrom("options").select(["key", "value"]).execute();
}

/** Key of a row that is sealed with the database's master key. It is not an option. */
export const CANARY_KEY = "_master_key_check";

/** Key of a row with the signing keys, which stay when the master key is rotated. It is not an option. */
export const SIGNING_KEYS_KEY = "_signing_keys";

/** Key of a row that changes with each option, so that other servers notice. It is not an option. */
const VERSION_KEY = "_version";

/** Version of the options: a different text after each change; undefined before the first. */
export function findOptionsVersion(queryable: Queryable): Promise<string | undefined> {
  return findStoredOption(queryable, VERSION_KEY);
}

/** Notifies other servers of a change in this transaction. */
export function renewOptionsVersion(queryable: Queryable): Promise<void> {
  return saveOption(queryable, { key: VERSION_KEY, value: randomUUID() });
}

/** Every stored option, locked until the transaction ends, so that dependent changes are serialized. */
export async function lockStoredOptions(queryable: Queryable): Promise<Option[]> {
  await writeCanary(queryable);
  return listStoredOptions(queryable);
}

/** Key of a row that tests for disk space. It is not an option. */
const SPACE_KEY = "_room_check";
/** More than the statements of one call write. */
const SPACE_BYTES = 64 * 1024;

/** Writes and removes a row as large as a call's writes. Rejects if the database refuses it. */
export async function writeSpaceCheck(queryable: Queryable): Promise<void> {
  // Random bytes, because PostgreSQL compresses long texts.
  await saveOption(queryable, { key: SPACE_KEY, value: randomBytes(SPACE_BYTES).toString("base64") });
  await queryable.deleteFrom("options").where("key", "=", SPACE_KEY).execute();
}

/** Writes a row without changing it. Rejects if the database accepts no writes. */
export async function writeCanary(queryable: Queryable): Promise<void> {
  await queryable
    .updateTable("options")
    .set((row) => ({ value: row.ref("value") }))
    .where("key", "=", CANARY_KEY)
    .execute();
}

export async function findStoredOption(queryable: Queryable, key: string): Promise<string | undefined> {
  const row = await queryable.selectFrom("options").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value;
}

export async function saveOption(queryable: Queryable, option: Option): Promise<void> {
  await queryable
    .insertInto("options")
    .values(option)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: option.value }))
    .execute();
}

export async function saveOptionOnce(queryable: Queryable, option: Option): Promise<void> {
  await queryable
    .insertInto("options")
    .values(option)
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
}
