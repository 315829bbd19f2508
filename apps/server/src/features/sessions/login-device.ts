import { randomBytes, timingSafeEqual } from "node:crypto";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { Secrets } from "../../core/secrets.ts";
import type { LoginRow } from "../users/index.ts";

const ID_BYTES = 16;
const KNOWN_SECONDS = 365 * 24 * 3600;
/** A browser is known to so many accounts at once; the one that it logged in to longest ago goes first. */
const MOST_ACCOUNTS = 5;
const MARK = /^(\d{1,15})\.(\d{1,15})\.([\w-]{22})\.([0-9a-f]{64})$/;

/** What a browser's cookie says of one account. It proves nobody: its only worth is a count of failed logins of its own. */
interface Mark {
  readonly userId: number;
  /** Unix time in seconds. */
  readonly markedAt: number;
  /** Of this browser at this account, random. */
  readonly id: string;
  readonly signature: string;
}

type MarkedAccount = Pick<LoginRow, "id" | "password_hash">;

/**
 * The id of the browser as the account knows it: it has logged in there within a year, and the password is still the one of that time.
 * Undefined for all others, whatever their cookie says.
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

/** Has the browser known to the account from now on, for a year. What it is known by elsewhere stays; its id stays too, so that logins make no new counts. */
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

/** The hash of the password is in what is signed, so that a new password makes all marks of the one before worthless. */
function signatureOf(secrets: Secrets, { userId, markedAt, id }: Omit<Mark, "signature">, account: MarkedAccount) {
  return secrets.sign("login-device", JSON.stringify([userId, markedAt, id, account.password_hash]));
}

/** What the cookie says, true or not; the newest first. */
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
