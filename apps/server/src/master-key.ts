import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@one-api/database/make-folder";
import { StartError } from "./config.ts";

export const MASTER_KEY_FILE = "secret.key";

const OWNER_ONLY = 0o600;
const KEY_BYTES = 32;
const KEY_PATTERN = /^[0-9a-f]{64}$/;
/** Another server with the same folder may be writing the key, so an empty file is read again. */
const MOST_READS_OF_EMPTY = 50;
const READ_AGAIN_MS = 20;

interface MasterKeySource {
  readonly dataDirectory: string;
  readonly secretKey: string | undefined;
  readonly inUse: boolean;
}

/**
 * Returns the operator's key, else the key file in the data folder, which the first start creates.
 * Throws StartError with the file and the fix.
 */
export function loadMasterKey({ dataDirectory, secretKey, inUse }: MasterKeySource): string {
  if (secretKey !== undefined) return secretKey;
  const file = join(dataDirectory, MASTER_KEY_FILE);
  const key = readKeyFile(file);
  if (key !== undefined) return key;
  if (!inUse) return makeKeyFile(file);
  throw new StartError(
    `The master key file ${file} is missing, and the database holds secrets sealed with another key. Put the file back, or set SECRET_KEY to the key used before.`,
  );
}

function readKeyFile(file: string): string | undefined {
  let text: string;
  try {
    text = readWhenWritten(file);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new StartError(
      `The master key file ${file} cannot be read: ${messageOf(error)}. Give this user the right to read it, or set SECRET_KEY.`,
    );
  }
  if (KEY_PATTERN.test(text)) return text;
  throw new StartError(
    `The master key file ${file} is damaged: it must hold ${KEY_BYTES * 2} hex digits. Restore it from a backup; without it the stored secrets are lost.`,
  );
}

function readWhenWritten(file: string): string {
  const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let text = readFileSync(file, "utf8").trim();
  for (let reads = 0; text === "" && reads < MOST_READS_OF_EMPTY; reads += 1) {
    Atomics.wait(never, 0, 0, READ_AGAIN_MS);
    text = readFileSync(file, "utf8").trim();
  }
  return text;
}

/** Creates the key file, or reads the one that another server with the same folder has just created. */
function makeKeyFile(file: string): string {
  const key = randomBytes(KEY_BYTES).toString("hex");
  try {
    // With PostgreSQL the folder may not exist yet.
    makeFolder(dirname(file));
    const handle = openSync(file, "wx", OWNER_ONLY);
    writeSync(handle, `${key}\n`);
    // The key must be on disk before the first secret that it encrypts.
    fsyncSync(handle);
    closeSync(handle);
  } catch (error) {
    const others = hasCode(error, "EEXIST") ? readKeyFile(file) : undefined;
    if (others !== undefined) return others;
    throw new StartError(
      `The master key file ${file} cannot be made: ${messageOf(error)}. Make DATA_DIR writable, or set SECRET_KEY.`,
    );
  }
  return key;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
