import { violatedConstraint } from "@one-api/database/database-errors";
import { AppError } from "../../core/app-error.ts";

interface Names {
  readonly username?: string | undefined;
  readonly display_name?: string | undefined;
}

/** Throws where a name would break mails or logins: `user-name-control-characters`, `user-username-at-sign`. */
export function checkNames({ username, display_name }: Names): void {
  for (const [field, name] of Object.entries({ username, display_name })) {
    // A line break in a name would end up in mail headers and log lines.
    if (/\p{Cc}/u.test(name ?? ""))
      throw new AppError("user-name-control-characters", `${field} must be one line without control characters.`, {
        field,
      });
  }
  // People log in by username or e-mail address; a username that is somebody's address would take that login from them.
  if (username?.includes("@"))
    throw new AppError("user-username-at-sign", "username must not contain an @.", { field: "username" });
}

/** Does the work that stores a username; throws `user-username-taken` when somebody else has it. */
export async function storingUsername<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error) !== "unique") throw error;
    throw new AppError("user-username-taken", "This username is taken. Choose another one.", { field: "username" });
  }
}
