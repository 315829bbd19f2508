import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from "node:crypto";
import { z } from "zod";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = "v1";

/** Context of a stored secret. It is authenticated, so a text copied to another column cannot be opened. */
export type SecretPurpose =
  | "token-key"
  | "channel-key"
  | "channel-config"
  | "channel-proxy"
  | "channel-snapshot"
  | "option"
  | "redemption-code"
  | "invitation"
  | "totp-key"
  | "idempotent-answer"
  | "receiver-address"
  | "receiver-secret"
  | "signing-keys";

type SigningPurpose = "audit-seal" | "login-device" | "identity";

export interface Secrets {
  /** Encrypts with the key that the database belongs to. */
  seal(purpose: SecretPurpose, secret: string): string;
  /**
   * Decrypts with either master key. `place` names the row, for the error. Throws SecretError for another master key or a
   * changed text.
   */
  open(purpose: SecretPurpose, sealed: string, place: string): string;
  /** HMAC-SHA-256 in hex, with a separate key for each purpose. */
  sign(purpose: SigningPurpose, text: string): string;
  /** HMAC-SHA-256 of a client's key in hex, for lookups without storing the key. */
  lookup(key: string): string;
  /** Returns the master key that opens the text; undefined if none does. */
  keyOf(purpose: SecretPurpose, sealed: string): MasterKeyName | undefined;
  /** Returns the text encrypted with the current key; undefined if it is already. Throws SecretError as `open` does. */
  sealAnew(purpose: SecretPurpose, sealed: string, place: string): string | undefined;
  /** Follows the database: encrypts with this key from now on, and signs with the keys that were carried over. */
  belongTo(key: MasterKeyName, carried: string | undefined): void;
  /** Returns the signing keys, encrypted with the current key. They stay when the master key is rotated. */
  carrySigningKeys(): string;
}

export type MasterKeyName = "current" | "previous";

/** A stored secret that no master key opens. The message names its row. */
export class SecretError extends Error {
  override readonly name = "SecretError";
}

/** Names a row in errors: table, id and what people call it. */
export function placeOf(table: string, id: number | string, name = ""): string {
  return name === "" ? `${table} ${id}` : `${table} ${id} (${name})`;
}

const SIGNING_LABELS = {
  lookup: "lookup",
  "audit-seal": "sign audit-seal",
  "login-device": "sign login-device",
  identity: "sign identity",
} as const;

type SigningKeys = Readonly<Record<keyof typeof SIGNING_LABELS, Buffer>>;

const carriedSchema = z.record(z.enum(["lookup", "audit-seal", "login-device", "identity"]), z.base64());

/** `previous` still opens secrets while the master key is rotated. Each key needs enough entropy. */
export function createSecrets(current: string, previous?: string): Secrets {
  const currentKey = sealingKeyOf(current);
  const previousKey = previous === undefined ? undefined : sealingKeyOf(previous);
  const keys = { current: currentKey, previous: previousKey };
  let sealingKey = currentKey;
  let signingKeys = signingKeysOf(current);

  function find(purpose: SecretPurpose, sealed: string): { key: MasterKeyName; secret: string } | undefined {
    for (const name of ["current", "previous"] as const) {
      const key = keys[name];
      const secret = key && decrypt(key, purpose, sealed);
      if (secret !== undefined) return { key: name, secret };
    }
    return undefined;
  }

  function openAt(purpose: SecretPurpose, sealed: string, place: string): { key: MasterKeyName; secret: string } {
    const found = find(purpose, sealed);
    if (found !== undefined) return found;
    throw new SecretError(`The ${purpose} of ${place} cannot be decrypted with the server's master key.`);
  }

  return {
    seal: (purpose, secret) => encrypt(sealingKey, purpose, secret),
    open: (purpose, sealed, place) => openAt(purpose, sealed, place).secret,
    sign: (purpose, text) => hmac(signingKeys[purpose], text),
    lookup: (key) => hmac(signingKeys.lookup, key),
    keyOf: (purpose, sealed) => find(purpose, sealed)?.key,
    sealAnew(purpose, sealed, place) {
      const { key, secret } = openAt(purpose, sealed, place);
      return key === "current" ? undefined : encrypt(currentKey, purpose, secret);
    },
    belongTo(key, carried) {
      sealingKey = keys[key] ?? currentKey;
      signingKeys =
        carried === undefined
          ? signingKeysOf(key === "previous" ? (previous ?? current) : current)
          : readCarried(openAt("signing-keys", carried, "the options").secret);
    },
    carrySigningKeys: () => encrypt(currentKey, "signing-keys", writeCarried(signingKeys)),
  };
}

function derive(masterKey: string, label: string): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey, "one-api", label, 32));
}

function sealingKeyOf(masterKey: string): Buffer {
  return derive(masterKey, "seal");
}

function signingKeysOf(masterKey: string): SigningKeys {
  return mapSigningKeys((name) => derive(masterKey, SIGNING_LABELS[name]));
}

function mapSigningKeys(keyOf: (name: keyof SigningKeys) => Buffer): SigningKeys {
  return {
    lookup: keyOf("lookup"),
    "audit-seal": keyOf("audit-seal"),
    "login-device": keyOf("login-device"),
    identity: keyOf("identity"),
  };
}

function readCarried(text: string): SigningKeys {
  const carried = carriedSchema.parse(JSON.parse(text));
  return mapSigningKeys((name) => Buffer.from(carried[name], "base64"));
}

function writeCarried(keys: SigningKeys): string {
  return JSON.stringify(Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, key.toString("base64")])));
}

function hmac(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

function encrypt(key: Buffer, purpose: SecretPurpose, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return `${FORMAT}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")}`;
}

/** Undefined for another key or a changed text. */
function decrypt(key: Buffer, purpose: SecretPurpose, sealed: string): string | undefined {
  const [format, text] = sealed.split(".");
  if (format !== FORMAT || text === undefined) return undefined;
  const bytes = Buffer.from(text, "base64url");
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return undefined;
  }
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
