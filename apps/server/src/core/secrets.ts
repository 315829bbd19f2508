import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = "v1";

/** Context of a stored secret. It is authenticated, so a text copied to another column cannot be opened. */
type SecretPurpose =
  | "token-key"
  | "channel-key"
  | "channel-config"
  | "channel-snapshot"
  | "option"
  | "redemption-code"
  | "invitation"
  | "totp-key"
  | "idempotent-answer";

type SigningPurpose = "audit-seal" | "login-device" | "identity";

export interface Secrets {
  seal(purpose: SecretPurpose, secret: string): string;
  /** Decrypts. Throws for another master key or a changed text. */
  open(purpose: SecretPurpose, sealed: string): string;
  /** HMAC-SHA-256 in hex, with a separate key for each purpose. */
  sign(purpose: SigningPurpose, text: string): string;
  /** HMAC-SHA-256 of a client's key in hex, for lookups without storing the key. */
  lookup(key: string): string;
}

/** `masterKey` needs enough entropy. */
export function createSecrets(masterKey: string): Secrets {
  const derive = (label: string) => Buffer.from(hkdfSync("sha256", masterKey, "one-api", label, 32));
  const sealingKey = derive("seal");
  const lookupKey = derive("lookup");
  const signingKeys = {
    "audit-seal": derive("sign audit-seal"),
    "login-device": derive("sign login-device"),
    identity: derive("sign identity"),
  };
  return {
    seal(purpose, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealingKey, nonce);
      cipher.setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return `${FORMAT}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
    },
    open(purpose, sealed) {
      const [format, text] = sealed.split(".");
      if (format !== FORMAT || text === undefined) throw new Error(`A stored ${purpose} is not in a known format.`);
      const bytes = Buffer.from(text, "base64url");
      const decipher = createDecipheriv(CIPHER, sealingKey, bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    },
    sign(purpose, text) {
      return createHmac("sha256", signingKeys[purpose]).update(text).digest("hex");
    },
    lookup(key) {
      return createHmac("sha256", lookupKey).update(key).digest("hex");
    },
  };
}

/** SHA-256 in hex, for values with enough entropy of their own (session ids, access tokens). */
export function fingerprint(text: string): string {
  return hash("sha256", text, "hex");
}

export function randomText(length: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  const unbiasedBelow = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < unbiasedBelow && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
