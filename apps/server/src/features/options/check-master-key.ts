import type { OpenDatabase } from "@one-api/database/open-database";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { MasterKeyName, Secrets } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import {
  CANARY_KEY,
  findStoredOption,
  lockStoredOptions,
  renewOptionsVersion,
  saveOption,
  saveOptionOnce,
  SIGNING_KEYS_KEY,
} from "./option.repository.ts";

export async function hasMasterKey(database: OpenDatabase): Promise<boolean> {
  return (await findStoredOption(database.db, CANARY_KEY)) !== undefined;
}

/** True if the database's secrets are sealed with a key of these. The first current key becomes the database's own. */
export async function masterKeyFits(database: OpenDatabase, secrets: Secrets): Promise<boolean> {
  await saveOptionOnce(database.db, { key: CANARY_KEY, value: secrets.seal("option", CANARY_KEY) });
  return followMasterKey(database, secrets);
}

/** Returns the key that the database belongs to; undefined if it is another one. */
export async function findMasterKey({ db }: OpenDatabase, secrets: Secrets): Promise<MasterKeyName | undefined> {
  const sealed = await findStoredOption(db, CANARY_KEY);
  return sealed === undefined ? undefined : secrets.keyOf("option", sealed);
}

/** Makes `secrets` encrypt with the database's own key from now on. False if it has another one. Stores nothing. */
export async function followMasterKey(database: OpenDatabase, secrets: Secrets): Promise<boolean> {
  const key = await findMasterKey(database, secrets);
  if (key === undefined) return false;
  secrets.belongTo(key, await findStoredOption(database.db, SIGNING_KEYS_KEY));
  return true;
}

/**
 * Makes the current master key the database's own; false if it is already. Other servers follow within a second. The signing keys stay,
 * because stored signatures cannot be computed again.
 */
export async function changeMasterKey(context: CallContext): Promise<boolean> {
  const { database, secrets } = context;
  return inTransaction(database, async (transaction) => {
    const options = new Map((await lockStoredOptions(transaction)).map(({ key, value }) => [key, value]));
    if (secrets.keyOf("option", options.get(CANARY_KEY) ?? "") === "current") return false;
    const signingKeys = secrets.carrySigningKeys();
    secrets.belongTo("current", signingKeys);
    await saveOption(transaction, { key: SIGNING_KEYS_KEY, value: signingKeys });
    await saveOption(transaction, { key: CANARY_KEY, value: secrets.seal("option", CANARY_KEY) });
    await renewOptionsVersion(transaction);
    await recordAudit(transaction, context, { action: "option.rotate-key", object: "option:SECRET_KEY" });
    return true;
  });
}
