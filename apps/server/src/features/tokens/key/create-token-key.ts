import { TOKEN_KEY_LENGTH } from "@one-api/contract/constants";
import { type Secrets, randomText } from "../../../core/secrets.ts";

export interface StoredTokenKey {
  readonly key_hmac: string;
  readonly key_cipher: string;
}

export function createTokenKey(secrets: Secrets): StoredTokenKey {
  const key = randomText(TOKEN_KEY_LENGTH);
  return { key_hmac: secrets.lookup(key), key_cipher: secrets.seal("token-key", key) };
}
