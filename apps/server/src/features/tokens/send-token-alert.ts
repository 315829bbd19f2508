import { AppError } from "../../core/app-error.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { tokenNotFound } from "./token.policy.ts";
import { findTokenOf } from "./token.repository.ts";

/** Refuses to mail about one of the caller's tokens and says what is missing. Throws `token-not-found`, `mail-not-set-up`, `token-without-email` and `mail-not-supported`. */
export async function sendTokenAlert(context: CallContext, options: OptionStore, id: number): Promise<null> {
  const actor = requireActor(context);
  const token = await findTokenOf(context.database.db, actor.id, id);
  if (token === undefined) throw tokenNotFound();
  if (options.text("SMTPServer") === "" || options.text("SMTPAccount") === "" || options.secret("SMTPToken") === "") {
    throw new AppError(
      "mail-not-set-up",
      "Mail is not set up. An administrator has to set SMTPServer, SMTPPort, SMTPAccount, SMTPFrom and SMTPToken in the system settings.",
    );
  }
  if (token.email === "") {
    throw new AppError(
      "token-without-email",
      "The token has no e-mail address. Edit it and fill in the address first.",
      {
        field: "email",
      },
    );
  }
  throw new AppError("mail-not-supported", "This version does not send mail yet.");
}
