import { violatedConstraint } from "@one-api/database/database-errors";
import { AppError } from "../../core/app-error.ts";
import type { Queryable } from "../../core/transaction.ts";
import { hasNameLike } from "./user.repository.ts";

/** A line break in a name would end up in mail headers and log lines; what turns the direction of text would turn all that stands behind the name. */
export const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

interface Names {
  readonly username?: string | undefined;
  readonly display_name?: string | undefined;
}

/** Throws where a name would break mails or logins: `user-name-control-characters`, `user-username-at-sign`. */
export function checkNames({ username, display_name }: Names): void {
  for (const [field, name] of Object.entries({ username, display_name })) {
    if ((name ?? "").search(UNPRINTABLE) >= 0)
      throw new AppError("user-name-control-characters", `${field} must be one line without control characters.`, {
        field,
      });
  }
  // People log in by username or e-mail address; a username that is somebody's address would take that login from them.
  if (username?.includes("@"))
    throw new AppError("user-username-at-sign", "username must not contain an @.", { field: "username" });
}

/** Blank or joined to what stands beside it, and yet a character: without it the name would look the same. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Letters that may stand in one name with Latin ones, as names in Chinese, Japanese and Korean do (UTS 39, 5.2, highly restrictive). */
const LATIN_AND_EAST_ASIAN =
  /[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/gu;

/**
 * Throws where a username that somebody wants to have could be read as another's: `user-username-look-alike` for unseen characters, forms of
 * others (full-width letters, accents apart from their letters) and Latin letters among Greek, Cyrillic and the like; `user-username-taken` for
 * one that differs in case alone. In the transaction that stores it.
 */
export async function checkNewUsername(transaction: Queryable, username: string): Promise<void> {
  const isMixed = /\p{Script=Latin}/u.test(username) && /\p{L}/u.test(username.replaceAll(LATIN_AND_EAST_ASIAN, ""));
  if (UNSEEN.test(username) || username !== username.normalize("NFKC") || isMixed) {
    const message =
      "username must not look like another: no unseen or full-width characters, no letters of two alphabets.";
    throw new AppError("user-username-look-alike", message, { field: "username" });
  }
  if (await hasNameLike(transaction, username)) throw usernameTaken();
}

/** As `checkNewUsername`, for somebody who has one: what they have they may keep, and write in another case. */
export async function checkChangedUsername(
  transaction: Queryable,
  before: string,
  wanted: string | undefined,
): Promise<void> {
  if (wanted === undefined || wanted.toLowerCase() === before.toLowerCase()) return;
  await checkNewUsername(transaction, wanted);
}

/** Does the work that stores a username; throws `user-username-taken` when somebody else has it. */
export async function storingUsername<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== "unique") throw error;
    throw usernameTaken();
  }
}

function usernameTaken(): AppError {
  return new AppError("user-username-taken", "This username is taken. Choose another one.", { field: "username" });
}
