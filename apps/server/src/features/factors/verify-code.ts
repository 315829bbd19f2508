import { randomInt } from "node:crypto";
import { RECOVERY_CODES } from "@one-api/contract/accounts/factor";
import { Secret, TOTP } from "otpauth";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { Queryable } from "../../core/transaction.ts";
import { countRequest, forgetRequests } from "../verification/index.ts";
import { findTotp, replaceRecoveryCodes, takeRecoveryCode, takeTotpStep, type TotpRow } from "./factor.repository.ts";

const STEP_SECONDS = 30;
/** Codes of the step before and the step after are taken too, for clocks that are off (RFC 6238, 5.2). */
const WINDOW = 1;
/** 160 bits (RFC 4226, 4). */
const KEY_BYTES = 20;

/**
 * Only who knows the password gets to guess codes. Of a million codes three are right at a time: 30 guesses a day are one success in 30
 * years. Who is guessed for still gets in with a passkey or a recovery code, which are not counted here.
 */
const GUESSES = [
  { name: "totp", most: 10, windowSeconds: 600 },
  { name: "totp-day", most: 30, windowSeconds: 24 * 3600 },
] as const;

/** An authenticator app's side of a key: SHA-1, six digits, 30 seconds, which is all that many apps know. */
export function totpOf(key: string, names: { readonly issuer: string; readonly label: string }): TOTP {
  return new TOTP({ ...names, secret: Secret.fromBase32(key), algorithm: "SHA1", digits: 6, period: STEP_SECONDS });
}

/** A new key for an authenticator app, in base32. */
export function newTotpKey(): string {
  return new Secret({ size: KEY_BYTES }).base32;
}

/**
 * Says whether the code is one of the user's: six digits of the authenticator app, else a recovery code. Each works once, and it is used up
 * now. Throws `too-many-requests` when too many digits were guessed.
 */
export async function takeFactorCode(context: CallContext, userId: number, code: string): Promise<boolean> {
  const { db } = context.database;
  const plain = code.replaceAll(/[\s-]/g, "").toLowerCase();
  if (!/^\d{6}$/.test(plain)) return takeRecoveryCode(db, userId, recoveryCodeHash(context, userId, plain));
  const totp = await findTotp(db, userId);
  if (totp === undefined || totp.confirmed_at === 0) return false;
  return takeTotpCode(context, userId, { totp, digits: plain, confirmedAt: totp.confirmed_at });
}

/** Like takeFactorCode, for one key; `confirmedAt` is what the key is marked with from then on. */
export async function takeTotpCode(
  context: CallContext,
  userId: number,
  { totp, digits, confirmedAt }: { totp: TotpRow; digits: string; confirmedAt: number },
): Promise<boolean> {
  const { clock, database, secrets } = context;
  const limits = GUESSES.map(({ name, ...limit }) => ({ ...limit, subject: `${name}:${userId}` }));
  await countRequest(database, limits, nowSeconds(clock));
  const key = totpOf(secrets.open("totp-key", totp.key_cipher), { issuer: "", label: "" });
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

/** Makes the user's recovery codes anew and returns them, in groups of four letters; only their hashes are kept. Each has 59 bits. */
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
