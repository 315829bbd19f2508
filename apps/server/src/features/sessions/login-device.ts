import { randomBytes, timingSafeEqual } from "node:crypto";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { Secrets } from "../../core/secrets.ts";
import type { LoginRow } from "../users/index.ts";

const ID_BYTES = 16;
const KNOWN_SECONDS = 365 * 24 * 3600;
const MOST_ACCOUNTS = 5;
const MARK = /^(\d{1,15})\.(\d{1,15})\.([\w-]{22})\.([0-9a-f]{64})$/;

/**
 * A browser's mark for one account. It proves no identity; it only gives the browser its own count of failed
 * logins.
 */
interface Mark {
  readonly userId: number;
  readonly markedAt: number;
  readonly id: string;
  readonly signature: string;
}

type MarkedAccount = Pick<LoginRow, "id" | "password_hash">;

/**
 * Id of a browser that has logged in to the account within a year and since the last change of password; else
 * undefined.
 */
export function knownDeviceOf(
  { secrets, clock }: Pick<CallContext, "secrets" | "clock">,
  cookie: SessionCookie,
  account: MarkedAccount,
): string | undefined {
  const mark = readMarks(cookie).find(({ userId }) => userId === account.id);
  if (mark === undefined || nowSeconds(clock) >= mark.markedAt + KNOWN_SECONDS) return undefined;
  const signature = signatureOf(secrets, mark, account);
  return timingSafeEqual(Buffer.from(mark.signature), Buffer.from(signature)) ? mark.id : undefined;
}

/**
 * Marks the browser as known to the account for a year. Marks of other accounts and the id stay, so that
 * logins create no new counts.
 */
export function rememberDevice(
  context: Pick<CallContext, "secrets" | "clock">,
  cookie: SessionCookie,
  account: MarkedAccount,
): void {
  const { secrets, clock } = context;
  const id = knownDeviceOf(context, cookie, account) ?? randomBytes(ID_BYTES).toString("base64url");
  const unsigned = { userId: account.id, markedAt: nowSeconds(clock), id };
  const mark: Mark = { ...unsigned, signature: signatureOf(secrets, unsigned, account) };
  const others = readMarks(cookie).filter(({ userId }) => userId !== account.id);
  const marks = [mark, ...others].slice(0, MOST_ACCOUNTS);
  cookie.set(marks.map(writeMark).join("~"), KNOWN_SECONDS);
}

/** Includes the password's hash, so that a new password invalidates all marks. */
function signatureOf(secrets: Secrets, { userId, markedAt, id }: Omit<Mark, "signature">, account: MarkedAccount) {
  return secrets.sign("login-device", JSON.stringify([userId, markedAt, id, account.password_hash]));
}

function readMarks({ value = "" }: SessionCookie): Mark[] {
  return value.split("~", MOST_ACCOUNTS).flatMap((text) => {
    const [, userId, markedAt, id, signature] = MARK.exec(text) ?? [];
    if (id === undefined || signature === undefined) return [];
    return [{ userId: Number(userId), markedAt: Number(markedAt), id, signature }];
  });
}

function writeMark({ userId, markedAt, id, signature }: Mark): string {
  return [userId, markedAt, id, signature].join(".");
}
