import { AppError } from "../../core/app-error.ts";
import type { OptionTexts } from "../../core/option-store.ts";
import type { BoundAccount, BoundIdColumn } from "./account.repository.ts";
import { isBoundHere } from "./provider-addresses.ts";

/**
 * True if the account has an active sign-in method besides passkeys. An e-mail address is none, nor is a
 * binding at an outdated address.
 */
export function hasSignInMethod(account: BoundAccount, options: OptionTexts): boolean {
  const isBound = (column: BoundIdColumn) => isBoundHere(options, column, account[column]);
  return (
    (account.password_hash !== "" && options.flag("PasswordLoginEnabled")) ||
    (isBound("github_id") && options.flag("GitHubOAuthEnabled")) ||
    (isBound("wechat_id") && options.flag("WeChatAuthEnabled")) ||
    (isBound("lark_id") && options.text("LarkClientId") !== "") ||
    (isBound("oidc_id") && options.flag("OidcEnabled"))
  );
}

export function lastSignInMethod(): AppError {
  return new AppError(
    "last-way-in",
    "This is the only way into your account. Set a password in your profile or bind another account first.",
  );
}
