import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import type { Channel } from "@one-api/contract/channels/channel";
import type { Token } from "@one-api/contract/token";

export type SwitchableRow =
  | { readonly noun: "channel"; readonly row: Channel }
  | { readonly noun: "token"; readonly row: Token }
  | { readonly noun: "user"; readonly row: ManagedUser };

export interface FoundRow {
  readonly id: number;
  readonly label: string;
  /** Pages on the row beside its form. */
  readonly pages: readonly { readonly name: "page" | "logs" | "usage"; readonly path: string }[];
  readonly switchable?: SwitchableRow;
}

const pathOf = (page: string, search: Record<string, string>) => `${page}?${new URLSearchParams(search).toString()}`;

export function foundChannel(row: Channel): FoundRow {
  const channel = String(row.id);
  return {
    id: row.id,
    label: row.name,
    pages: [
      { name: "page", path: `/channel/${channel}` },
      { name: "logs", path: pathOf("/log", { channel }) },
      { name: "usage", path: pathOf("/dashboard", { channel }) },
    ],
    switchable: { noun: "channel", row },
  };
}

export function foundToken(row: Token): FoundRow {
  return {
    id: row.id,
    label: row.name,
    pages: [
      { name: "logs", path: pathOf("/log", { token_name: row.name }) },
      { name: "usage", path: pathOf("/dashboard", { token: row.name }) },
    ],
    switchable: { noun: "token", row },
  };
}

export function foundUser(row: ManagedUser): FoundRow {
  const { id, username, display_name: shown } = row;
  return {
    id,
    label: shown === "" || shown === username ? username : `${username} · ${shown}`,
    pages: [
      { name: "page", path: `/user/${id}` },
      { name: "logs", path: pathOf("/log", { username }) },
      { name: "usage", path: pathOf("/dashboard", { user: String(id) }) },
    ],
    switchable: { noun: "user", row },
  };
}
