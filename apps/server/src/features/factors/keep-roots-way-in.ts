import type { OptionKey } from "@one-api/contract/option";
import { AppError } from "../../core/app-error.ts";
import type { OptionTexts } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { hasWayIn, holdRoot } from "../users/index.ts";
import { secondFactorsOf } from "./second-factors.ts";

/** The settings that say by which ways somebody may log in. */
const WAYS_IN: ReadonlySet<OptionKey> = new Set([
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
 * Refuses a change of settings after which nobody could log in as root, while passwords let nobody in: only the database would be left to
 * undo it. Throws `login-root-locked-out`.
 */
export async function keepRootsWayIn(
  transaction: Queryable,
  key: OptionKey,
  { before, after }: { readonly before: OptionTexts; readonly after: OptionTexts },
): Promise<void> {
  if (!WAYS_IN.has(key) || after.flag("PasswordLoginEnabled")) return;
  const root = await holdRoot(transaction);
  if (root === undefined || hasWayIn(root, after)) return;
  // Passkeys belong to the domain of ServerAddress: at another one they log nobody in.
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
