import { AppError } from "../../core/app-error.ts";
import type { OptionTexts } from "../../core/option-store.ts";
import type { BoundAccount, BoundIdColumn } from "./account.repository.ts";
import { isBoundHere } from "./provider-addresses.ts";

/**
 * True while the account can be entered without a passkey, as things are switched on now. An address alone is no way in: it needs mail to
 * be set up and to arrive. What is bound at another address than the provider's is none either.
 */
export function hasWayIn(account: BoundAccount, options: OptionTexts): boolean {
  const isBound = (column: BoundIdColumn) => isBoundHere(options, column, account[column]);
  return (
    (account.password_hash !== "" && options.flag("PasswordLoginEnabled")) ||
    (isBound("github_id") && options.flag("GitHubOAuthEnabled")) ||
    (isBound("wechat_id") && options.flag("WeChatAuthEnabled")) ||
    (isBound("lark_id") && options.text("LarkClientId") !== "") ||
    (isBound("oidc_id") && options.flag("OidcEnabled"))
  );
}

/** The refusal to take away what alone lets somebody into the account. */
export function lastWayIn(): AppError {
  return new AppError(
    "last-way-in",
    "This is the only way into your account. Set a password in your profile or bind another account first.",
  );
}
