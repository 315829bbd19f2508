import { TOKEN_KEY_LENGTH } from "@one-api/contract/constants";
import { randomText, type Secrets } from "../../core/secrets.ts";

/** A new caller's key as the database keeps it. */
export interface NewTokenKey {
  readonly key_hmac: string;
  readonly key_cipher: string;
}

/** Makes a key of 48 random characters, the prefix not counted. */
export function createTokenKey(secrets: Secrets): NewTokenKey {
  const key = randomText(TOKEN_KEY_LENGTH);
  return { key_hmac: secrets.lookup(key), key_cipher: secrets.seal("token-key", key) };
}
