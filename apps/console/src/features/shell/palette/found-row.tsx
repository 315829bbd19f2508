import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import type { Channel } from "@one-api/contract/channels/channel";
import type { Redemption } from "@one-api/contract/redemption";
import type { Token } from "@one-api/contract/token";
import type { ReactNode } from "react";
import { type RowAction, useRunAction } from "../../../components/data-table/rows/row-action.ts";
import { useChannelActions } from "../../channels/list/use-channel-actions.tsx";
import { useRedemptionActions } from "../../redemptions/redemption-actions.tsx";
import { useTokenActions } from "../../tokens/token-actions.tsx";
import { useCopyOrShow } from "../../tokens/use-copy-or-show.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useUserActions } from "../../users/user-actions.tsx";
import type { PaletteCommand } from "./palette-commands.tsx";

/** A search result of the server; `row` has the actions of its list. */
export type FoundRow = { readonly id: number; readonly label: string } & (
  | { readonly noun: "requests" }
  | { readonly noun: "channels"; readonly row: Channel }
  | { readonly noun: "tokens"; readonly row: Token }
  | { readonly noun: "users"; readonly row: ManagedUser }
  | { readonly noun: "redemptions"; readonly row: Redemption }
);

export function foundUser(row: ManagedUser): FoundRow {
  const { id, username, display_name: shown } = row;
  const label = shown === "" || shown === username ? username : `${username} · ${shown}`;
  return { noun: "users", id, label, row };
}

/** Actions as commands; choices behind an action are commands of their own. Actions that are not possible now are left out. */
function commandsOf(actions: readonly RowAction[], run: (action: RowAction) => void): PaletteCommand[] {
  return actions.flatMap((action) => {
    const { id, label, icon, items } = action;
    if (action.disabled === true || action.busy === true) return [];
    const choices = commandsOf(items ?? [], run).map((choice) => ({
      ...choice,
      id: `${id}-${choice.id}`,
      label: `${label} · ${choice.label}`,
    }));
    const isChoice = items === undefined || action.onSelect !== undefined;
    return [...(isChoice ? [{ id, label, icon, run: () => run(action) }] : []), ...choices];
  });
}

/** Returns the actions on a found row; undefined for a row that only opens. */
export type ActionsOf = (found: FoundRow) => (() => PaletteCommand[]) | undefined;

/** Returns the actions that the lists of these rows have, and what they open. */
export function useFoundActions(): { actionsOf: ActionsOf; dialogs: ReactNode } {
  const { t } = useTranslation("redemptions");
  const run = useRunAction();
  const { copyOrShow, byHand } = useCopyOrShow();
  const channels = useChannelActions();
  const tokens = useTokenActions();
  const users = useUserActions();
  const redemptions = useRedemptionActions((code) => copyOrShow(code, t("copy.done")));
  const rowActionsOf = (found: Exclude<FoundRow, { noun: "requests" }>) => {
    if (found.noun === "channels") return channels.actionsOf(found.row);
    if (found.noun === "tokens") return tokens.actionsOf(found.row);
    return found.noun === "users" ? users(found.row) : redemptions(found.row);
  };
  const dialogs = (
    <>
      {channels.dialogs}
      {tokens.dialogs}
      {byHand}
    </>
  );
  const actionsOf: ActionsOf = (found) =>
    found.noun === "requests" ? undefined : () => commandsOf(rowActionsOf(found), run);
  return { actionsOf, dialogs };
}
