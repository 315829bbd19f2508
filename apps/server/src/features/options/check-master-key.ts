import type { OpenDatabase } from "@one-api/database/open-database";
import type { Secrets } from "../../core/secrets.ts";
import { CANARY_KEY, findStoredOption, saveOptionOnce } from "./option.repository.ts";

export async function hasMasterKey(database: OpenDatabase): Promise<boolean> {
  return (await findStoredOption(database.db, CANARY_KEY)) !== undefined;
}

/** True if the database's secrets are sealed with this master key. The first key becomes the database's own. */
export async function masterKeyFits(database: OpenDatabase, secrets: Secrets): Promise<boolean> {
  await saveOptionOnce(database.db, { key: CANARY_KEY, value: secrets.seal("option", CANARY_KEY) });
  return masterKeyOpens(database, secrets);
}

/** True if this is the database's master key. Stores nothing. */
export async function masterKeyOpens(database: OpenDatabase, secrets: Secrets): Promise<boolean> {
  const sealed = await findStoredOption(database.db, CANARY_KEY);
  try {
    return sealed !== undefined && secrets.open("option", sealed) === CANARY_KEY;
  } catch {
    return false;
  }
}
