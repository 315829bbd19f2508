import type { OptionKey } from "@one-api/contract/options/option-definitions";
import { AppError } from "../../core/app-error.ts";
import type { OptionTexts } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { hasSignInMethod, lockRoot } from "../users/index.ts";
import { secondFactorsOf } from "./second-factors.ts";

const SIGN_IN_OPTIONS: ReadonlySet<OptionKey> = new Set([
  "PasswordLoginEnabled",
  "GitHubOAuthEnabled",
  "GitHubAddress",
  "LarkClientId",
  "LarkAddress",
  "WeChatAuthEnabled",
  "WeChatServerAddress",
  "OidcEnabled",
  "OidcIssuer",
  "ServerAddress",
]);

/**
 * Refuses a change of options that would leave root without a sign-in method, which only an edit of the
 * database could undo.
 * Throws `login-root-locked-out`.
 */
export async function requireRootSignIn(
  transaction: Queryable,
  key: OptionKey,
  { before, after }: { readonly before: OptionTexts; readonly after: OptionTexts },
): Promise<void> {
  if (!SIGN_IN_OPTIONS.has(key) || after.flag("PasswordLoginEnabled")) return;
  const root = await lockRoot(transaction);
  if (root === undefined || hasSignInMethod(root, after)) return;
  // Passkeys are bound to the domain of ServerAddress and stop working when it changes.
  const keepsDomain = domainOf(before) === domainOf(after);
  if (keepsDomain && (await secondFactorsOf(transaction, root.id)).includes("passkey")) return;
  const option = key;
  throw new AppError(
    "login-root-locked-out",
    `With this ${option} and without password login nobody could log in as root. ${keepsDomain ? "Let root add a passkey, or bind an account of a provider that is switched on, first." : "Turn password login on first: passkeys belong to the domain of ServerAddress."}`,
    { field: "value", values: { option } },
  );
}

function domainOf(options: OptionTexts): string {
  const address = options.text("ServerAddress");
  return address === "" ? "" : new URL(address).hostname;
}
