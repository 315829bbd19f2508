import { type Binding, BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import { stripTrailingSlashes } from "@one-api/contract/texts";
import { OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/options/option-definitions";
import type { OptionStore, OptionTexts } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { type BoundAccount, type BoundIdColumn, countBoundAt } from "./account.repository.ts";

const COLUMN_OF_ADDRESS = {
  GitHubAddress: "github_id",
  LarkAddress: "lark_id",
  WeChatServerAddress: "wechat_id",
  OidcIssuer: "oidc_id",
} as const satisfies Partial<Record<OptionKey, BoundIdColumn>>;

type AddressOption = keyof typeof COLUMN_OF_ADDRESS;

const isAddressOption = (key: OptionKey): key is AddressOption => Object.hasOwn(COLUMN_OF_ADDRESS, key);

/** Current address of the provider whose ids the column has; empty for none. */
export function providerAddress(options: OptionTexts, column: BoundIdColumn): string {
  switch (column) {
    case "github_id":
      return options.text("GitHubAddress") || OPTION_DEFINITIONS.GitHubAddress.default;
    case "lark_id":
      return options.text("LarkAddress") || OPTION_DEFINITIONS.LarkAddress.default;
    case "wechat_id":
      return options.text("WeChatServerAddress");
    case "oidc_id":
      return options.text("OidcIssuer");
  }
}

/**
 * An id with its provider's address. Otherwise an administrator could point the option at a server that
 * claims any id.
 */
export function boundIdAt(address: string, id: string): string {
  return `${address} ${id}`;
}

export function isBoundHere(options: OptionTexts, column: BoundIdColumn, boundId: string): boolean {
  return boundId !== "" && stripTrailingSlashes(addressOf(boundId)) === providerAddress(options, column);
}

const addressOf = (boundId: string) => boundId.slice(0, boundId.lastIndexOf(" "));

/** Bindings for the API: bare ids of current providers, others with their address, and a list of the latter. */
export function presentBindings(options: OptionStore, account: Pick<BoundAccount, BoundIdColumn>) {
  const shown = (column: BoundIdColumn) => {
    const boundId = account[column];
    return isBoundHere(options, column, boundId) ? boundId.slice(boundId.lastIndexOf(" ") + 1) : boundId;
  };
  const isOutdated = (binding: Exclude<Binding, "email">) => {
    const column = BINDING_FIELDS[binding];
    return account[column] !== "" && !isBoundHere(options, column, account[column]);
  };
  return {
    github_id: shown("github_id"),
    lark_id: shown("lark_id"),
    wechat_id: shown("wechat_id"),
    // Issuer and subject together identify a user.
    oidc_id: account.oidc_id,
    outdated_bindings: (["wechat", "github", "lark", "oidc"] as const).filter(isOutdated),
  };
}

export async function countBindings(
  queryable: Queryable,
  options: OptionStore,
): Promise<Record<AddressOption, number>> {
  const count = (column: BoundIdColumn) => countBoundAt(queryable, column, providerAddress(options, column));
  return {
    GitHubAddress: await count("github_id"),
    LarkAddress: await count("lark_id"),
    WeChatServerAddress: await count("wechat_id"),
    OidcIssuer: await count("oidc_id"),
  };
}

/** Audit detail of a changed address: the number of accounts bound at the old one. Empty for other options. */
export async function describeLostBindings(
  queryable: Queryable,
  { key, from, to }: { readonly key: OptionKey; readonly from: string; readonly to: string },
): Promise<{ bindings_lost?: number }> {
  if (!isAddressOption(key)) return {};
  const fallback = OPTION_DEFINITIONS[key].default;
  const [before, after] = [from || fallback, to || fallback];
  return before === after ? {} : { bindings_lost: await countBoundAt(queryable, COLUMN_OF_ADDRESS[key], before) };
}
