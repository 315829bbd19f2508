import { type Binding, BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import { stripTrailingSlashes } from "@one-api/contract/fields";
import { OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/option";
import type { OptionStore, OptionTexts } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { type BoundAccount, type BoundIdColumn, countBoundAt } from "./account.repository.ts";

/** The options that say where a provider is, each with the column of the ids that come from there. */
const COLUMN_OF_ADDRESS = {
  GitHubAddress: "github_id",
  LarkAddress: "lark_id",
  WeChatServerAddress: "wechat_id",
  OidcIssuer: "oidc_id",
} as const satisfies Partial<Record<OptionKey, BoundIdColumn>>;

type AddressOption = keyof typeof COLUMN_OF_ADDRESS;

const isAddressOption = (key: OptionKey): key is AddressOption => Object.hasOwn(COLUMN_OF_ADDRESS, key);

/** The address of the provider whose ids stand in the column, as it is set now; empty for none. */
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
 * The id as it is bound: with the address that says so. Another server that says the same id is about somebody else; without the address,
 * who may set it could have any account's id said by a server of their own.
 */
export function boundIdAt(address: string, id: string): string {
  return `${address} ${id}`;
}

/** True when the provider as it is set now is the one that the id was bound at. */
export function isBoundHere(options: OptionTexts, column: BoundIdColumn, boundId: string): boolean {
  return boundId !== "" && stripTrailingSlashes(addressOf(boundId)) === providerAddress(options, column);
}

/** Ids have no spaces. */
const addressOf = (boundId: string) => boundId.slice(0, boundId.lastIndexOf(" "));

/** What is bound, as people and scripts see it: bare ids of the providers in use, the others with their address; and which those are. */
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
    // Issuer and subject together are who somebody is.
    oidc_id: account.oidc_id,
    outdated_bindings: (["wechat", "github", "lark", "oidc"] as const).filter(isOutdated),
  };
}

/** How many accounts are bound at each provider's address in use, by the option that has it. */
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

/** What the audit trail says of an option's change: how many accounts were bound at the address that goes. Nothing for another option. */
export async function describeLostBindings(
  queryable: Queryable,
  { key, from, to }: { readonly key: OptionKey; readonly from: string; readonly to: string },
): Promise<{ bindings_lost?: number }> {
  if (!isAddressOption(key)) return {};
  const fallback = OPTION_DEFINITIONS[key].default;
  const [before, after] = [from || fallback, to || fallback];
  return before === after ? {} : { bindings_lost: await countBoundAt(queryable, COLUMN_OF_ADDRESS[key], before) };
}
