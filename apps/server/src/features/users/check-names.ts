import { UNPRINTABLE } from "@one-api/contract/unprintable";
import { violatedConstraint } from "@one-api/database/database-errors";
import { AppError } from "../../core/app-error.ts";
import type { Queryable } from "../../core/transaction.ts";
import { hasNameLike } from "./user.repository.ts";

interface Names {
  readonly username?: string | undefined;
  readonly display_name?: string | undefined;
}

/** Throws `user-name-control-characters` and `user-username-at-sign`. */
export function checkNames({ username, display_name }: Names): void {
  for (const [field, name] of Object.entries({ username, display_name })) {
    if ((name ?? "").search(UNPRINTABLE) >= 0)
      throw new AppError("user-name-control-characters", `${field} must be one line without control characters.`, {
        field,
      });
  }
  // Users log in by username or e-mail address, so a username must not equal another user's address.
  if (username?.includes("@"))
    throw new AppError("user-username-at-sign", "username must not contain an @.", { field: "username" });
}

/** Invisible characters. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * Scripts that may be mixed with Latin in one name, as in Chinese, Japanese and Korean (UTS 39, 5.2, highly
 * restrictive).
 */
const LATIN_AND_EAST_ASIAN =
  /[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/gu;

/**
 * Refuses names that can be confused with another: `user-username-look-alike` for invisible or compatibility
 * characters and mixed scripts, `user-username-taken` if equal without case.
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

/** Like `checkNewUsername`, for a rename. The current name and changes of its case are allowed. */
export async function checkChangedUsername(
  transaction: Queryable,
  before: string,
  wanted: string | undefined,
): Promise<void> {
  if (wanted === undefined || wanted.toLowerCase() === before.toLowerCase()) return;
  await checkNewUsername(transaction, wanted);
}

/** Runs `work`, which stores a username. Throws `user-username-taken` if another user has it. */
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
