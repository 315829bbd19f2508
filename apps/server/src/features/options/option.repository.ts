import { randomBytes, randomUUID } from "node:crypto";
import type { Option } from "@one-api/contract/option";
import type { Queryable } from "../../core/transaction.ts";

/** Every stored option, values as stored: secrets sealed. */
export function listStoredOptions(queryable: Queryable): Promise<Option[]> {
  return queryable.selectFrom("options").select(["key", "value"]).execute();
}

/** A row beside the options, sealed with the master key that the database belongs to. No option has this name. */
export const CANARY_KEY = "_master_key_check";

/** A row beside the options that changes with each of them, for the other servers on the database. No option has this name. */
const VERSION_KEY = "_version";

/** Which state the options are in: another text after every change; undefined before the first. */
export function findOptionsVersion(queryable: Queryable): Promise<string | undefined> {
  return findStoredOption(queryable, VERSION_KEY);
}

/** Tells the other servers that options change with this transaction. */
export function renewOptionsVersion(queryable: Queryable): Promise<void> {
  return saveOption(queryable, { key: VERSION_KEY, value: randomUUID() });
}

/** Every stored option, held until the transaction ends: changes that depend on each other are made one after the other. */
export async function holdStoredOptions(queryable: Queryable): Promise<Option[]> {
  await writeCanary(queryable);
  return listStoredOptions(queryable);
}

/** A row that is written to see whether the database has room. No option has this name. */
const ROOM_KEY = "_room_check";
/** More than the statements of one call need. */
const ROOM_BYTES = 64 * 1024;

/** Writes a row that needs as much room as calls do, and removes it. Rejects where the database does not take it. */
export async function writeRoomCheck(queryable: Queryable): Promise<void> {
  // Random bytes, since PostgreSQL compresses long texts.
  await saveOption(queryable, { key: ROOM_KEY, value: randomBytes(ROOM_BYTES).toString("base64") });
  await queryable.deleteFrom("options").where("key", "=", ROOM_KEY).execute();
}

/** Writes a row as it is, to see whether the database takes what is written. Rejects where it does not. */
export async function writeCanary(queryable: Queryable): Promise<void> {
  await queryable
    .updateTable("options")
    .set((row) => ({ value: row.ref("value") }))
    .where("key", "=", CANARY_KEY)
    .execute();
}

/** The stored value of one option; undefined while it has its default. */
export async function findStoredOption(queryable: Queryable, key: string): Promise<string | undefined> {
  const row = await queryable.selectFrom("options").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value;
}

/** Stores the value, whether or not there is one already. */
export async function saveOption(queryable: Queryable, option: Option): Promise<void> {
  await queryable
    .insertInto("options")
    .values(option)
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: option.value }))
    .execute();
}

/** Stores the value unless there is one already. */
export async function saveOptionOnce(queryable: Queryable, option: Option): Promise<void> {
  await queryable
    .insertInto("options")
    .values(option)
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
}
