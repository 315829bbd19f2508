import { randomInt } from "node:crypto";
import { RECOVERY_CODES } from "@one-api/contract/accounts/factor";
import { Secret, TOTP } from "otpauth";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { placeOf } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { countRequest, forgetRequests } from "../verification/index.ts";
import { findTotp, replaceRecoveryCodes, takeRecoveryCode, takeTotpStep, type TotpRow } from "./factor.repository.ts";

const STEP_SECONDS = 30;
/** Accepts the codes of one step before and after, for clocks that differ (RFC 6238, 5.2). */
const WINDOW = 1;
/** 160 bits (RFC 4226, 4). */
const KEY_BYTES = 20;

/**
 * Limits guesses after a right password: three of a million codes are valid at a time.
 * Passkeys and recovery codes are not limited, so the owner can still sign in.
 */
const GUESSES = [
  { name: "totp", most: 10, windowSeconds: 600 },
  { name: "totp-day", most: 30, windowSeconds: 24 * 3600 },
] as const;

/** SHA-1, six digits, 30 seconds: the only parameters that many apps support. */
export function totpOf(key: string, names: { readonly issuer: string; readonly label: string }): TOTP {
  return new TOTP({ ...names, secret: Secret.fromBase32(key), algorithm: "SHA1", digits: 6, period: STEP_SECONDS });
}

export function newTotpKey(): string {
  return new Secret({ size: KEY_BYTES }).base32;
}

/**
 * Checks and uses up a code: six digits of the authenticator app, else a recovery code.
 * Throws `too-many-requests` after too many guesses of digits.
 */
export async function takeFactorCode(context: CallContext, userId: number, code: string): Promise<boolean> {
  const { db } = context.database;
  const plain = code.replaceAll(/[\s-]/g, "").toLowerCase();
  if (!/^\d{6}$/.test(plain)) return takeRecoveryCode(db, userId, recoveryCodeHash(context, userId, plain));
  const totp = await findTotp(db, userId);
  if (totp === undefined || totp.confirmed_at === 0) return false;
  return takeTotpCode(context, userId, { totp, digits: plain, confirmedAt: totp.confirmed_at });
}

/** Checks and uses up a code for one key, and sets the key's `confirmedAt`. */
export async function takeTotpCode(
  context: CallContext,
  userId: number,
  { totp, digits, confirmedAt }: { totp: TotpRow; digits: string; confirmedAt: number },
): Promise<boolean> {
  const { clock, database, secrets } = context;
  const limits = GUESSES.map(({ name, ...limit }) => ({ ...limit, subject: `${name}:${userId}` }));
  await countRequest(database, limits, nowSeconds(clock));
  const key = totpOf(secrets.open("totp-key", totp.key_cipher, placeOf("totp_factors of user", userId)), {
    issuer: "",
    label: "",
  });
  const timestamp = clock.nowMs();
  const delta = key.validate({ token: digits, timestamp, window: WINDOW });
  if (delta === null) return false;
  const use = { keyCipher: totp.key_cipher, step: key.counter({ timestamp }) + delta, confirmedAt };
  if (!(await takeTotpStep(database.db, userId, use))) return false;
  await forgetRequests(
    database.db,
    limits.map(({ subject }) => subject),
  );
  return true;
}

const RECOVERY_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const RECOVERY_LENGTH = 12;
const RECOVERY_GROUP = 4;

/**
 * Replaces and returns the user's recovery codes, in groups of four letters. Only hashes are stored. Each
 * code has 59 bits.
 */
export async function makeRecoveryCodes(queryable: Queryable, context: CallContext, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join(""),
  );
  const hashes = codes.map((code) => recoveryCodeHash(context, userId, code));
  await replaceRecoveryCodes(queryable, userId, hashes);
  return codes.map((code) => code.match(new RegExp(`.{${RECOVERY_GROUP}}`, "g"))?.join("-") ?? code);
}

function recoveryCodeHash({ secrets }: CallContext, userId: number, code: string): string {
  return secrets.lookup(JSON.stringify(["recovery-code", userId, code]));
}
