import type { OpenDatabase } from "@one-api/database/open-database";
import { type Config, StartError } from "./config.ts";
import { createSecrets, type Secrets } from "./core/secrets.ts";
import { followMasterKey, hasMasterKey, masterKeyFits } from "./features/options/index.ts";
import { loadMasterKey } from "./master-key.ts";

type KeyConfig = Pick<Config, "dataDirectory" | "secretKey" | "previousSecretKey">;

/** Returns the secrets of a database. The first master key becomes its own. Throws StartError for another one. */
export async function openSecrets(config: KeyConfig, database: OpenDatabase): Promise<Secrets> {
  const inUse = await hasMasterKey(database);
  const secrets = createSecrets(loadMasterKey({ ...config, inUse }), config.previousSecretKey);
  if (await masterKeyFits(database, secrets)) return secrets;
  const used = config.secretKey === undefined ? `the key file in ${config.dataDirectory}` : "SECRET_KEY";
  throw new StartError(
    `The secrets in the database do not open with the master key of ${used}. Set SECRET_KEY to the value that they were stored with, or put the key file of that time back.`,
  );
}

/** The same for commands, which store nothing. */
export async function openStoredSecrets(config: KeyConfig, database: OpenDatabase): Promise<Secrets> {
  const secrets = createSecrets(loadMasterKey({ ...config, inUse: true }), config.previousSecretKey);
  if (await followMasterKey(database, secrets)) return secrets;
  throw new StartError(
    "The database belongs to another master key. Set SECRET_KEY or DATA_DIR as the server has them.",
  );
}
