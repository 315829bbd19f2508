import type { SelfInput } from "@one-api/contract/user";
import { violatedConstraint } from "@one-api/database/database-errors";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { changeUser } from "./user.repository.ts";

/** Ends the user's sessions but the one with that id (undefined: all), in the caller's transaction. */
export type EndSessions = (queryable: Queryable, userId: number, keptSessionId: string | undefined) => Promise<void>;

interface SelfDeps {
  readonly hasher: PasswordHasher;
  readonly endSessions: EndSessions;
  /** The session that makes the change: the only one that survives a new password. */
  readonly sessionId: string | undefined;
}

/** Changes the caller's own user; empty fields stay as they are. Throws `user-username-taken` when somebody else has the username, and refuses names that would break mails or logins. */
export async function updateSelf(context: CallContext, input: SelfInput, deps: SelfDeps): Promise<void> {
  const actor = requireActor(context);
  checkNames(input);
  const names = {
    ...(input.username ? { username: input.username } : {}),
    ...(input.display_name ? { display_name: input.display_name } : {}),
  };
  const passwordChanges = Boolean(input.password);
  // Hashed before the transaction, which must stay short.
  const password = input.password
    ? { password_hash: await deps.hasher.hash(input.password), password_is_default: 0 as const }
    : {};
  if (!passwordChanges && Object.keys(names).length === 0) return;
  try {
    await inTransaction(context.database, async (transaction) => {
      await changeUser(transaction, actor.id, { ...names, ...password });
      if (passwordChanges) await deps.endSessions(transaction, actor.id, deps.sessionId);
      const detail = { ...names, password: passwordChanges ? "changed" : "kept" };
      await recordAudit(transaction, context, { action: "user.update-self", object: `user:${actor.id}`, detail });
    });
  } catch (error) {
    if (violatedConstraint(error) !== "unique") throw error;
    throw new AppError("user-username-taken", "This username is taken. Choose another one.", { field: "username" });
  }
  context.changes.announce("users");
}

function checkNames({ username, display_name }: SelfInput): void {
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
