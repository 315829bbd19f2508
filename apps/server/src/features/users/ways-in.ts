import { AppError } from "../../core/app-error.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { BoundAccount } from "./account.repository.ts";

/**
 * True while the account can be entered without a passkey, as things are switched on now. An address alone is no way in: it needs mail to
 * be set up and to arrive.
 */
export function hasWayIn(account: BoundAccount, options: OptionStore): boolean {
  return (
    (account.password_hash !== "" && options.flag("PasswordLoginEnabled")) ||
    (account.github_id !== "" && options.flag("GitHubOAuthEnabled")) ||
    (account.wechat_id !== "" && options.flag("WeChatAuthEnabled")) ||
    (account.lark_id !== "" && options.text("LarkClientId") !== "") ||
    (account.oidc_id !== "" && options.flag("OidcEnabled"))
  );
}

/** The refusal to take away what alone lets somebody into the account. */
export function lastWayIn(): AppError {
  return new AppError(
    "last-way-in",
    "This is the only way into your account. Set a password in your profile or bind another account first.",
  );
}
