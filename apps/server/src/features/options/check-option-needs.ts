import type { OptionKey } from "@one-api/contract/option";
import { AppError } from "../../core/app-error.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { OptionValue } from "./parsed-option.ts";

interface Need {
  readonly isMet: (options: OptionStore) => boolean;
  readonly message: string;
}

/** What must be set before a switch can be turned on: without it the switch would lock people out. */
const NEEDS: ReadonlyMap<OptionKey, Need> = new Map<OptionKey, Need>([
  [
    "GitHubOAuthEnabled",
    {
      isMet: (options) => options.text("GitHubClientId") !== "",
      message: "Set the GitHub client ID before turning on GitHub login.",
    },
  ],
  [
    "EmailDomainRestrictionEnabled",
    {
      isMet: (options) => options.text("EmailDomainWhitelist") !== "",
      message: "Add a domain to the e-mail whitelist before restricting e-mail domains.",
    },
  ],
  [
    "WeChatAuthEnabled",
    {
      isMet: (options) => options.text("WeChatServerAddress") !== "",
      message: "Set the WeChat server address before turning on WeChat login.",
    },
  ],
  [
    "TurnstileCheckEnabled",
    {
      isMet: (options) => options.text("TurnstileSiteKey") !== "" && options.secret("TurnstileSecretKey") !== "",
      message: "Set the Turnstile site key and secret key before turning on the Turnstile check.",
    },
  ],
  [
    "GlobalProxyEnabled",
    {
      isMet: (options) => options.text("HttpProxy") !== "",
      message: "Set the proxy address before turning on the global proxy.",
    },
  ],
]);

/** Throws `not-configured` when the switch is to be turned on before what it needs is set. */
export function checkOptionNeeds(key: OptionKey, value: OptionValue, options: OptionStore): void {
  const need = NEEDS.get(key);
  if (need !== undefined && value === true && !need.isMet(options)) {
    throw new AppError("not-configured", need.message, { field: "value" });
  }
}
