import {
  type Icon,
  IconArrowsShuffle,
  IconKey,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconPlugConnected,
  IconSunMoon,
  IconTicket,
  IconUserEdit,
  IconUserPlus,
} from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { chooseLanguage } from "../../../lib/i18n/i18n.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useCurrentUser, useIsAdmin } from "../../../lib/state/session.ts";
import { hasWords } from "../../../lib/values/has-words.ts";
import { useLogOut } from "../../login/session-mutations.ts";
import { useCycleColorScheme } from "../appearance-buttons.tsx";
import { type MenuEntryName, useMenuEntries } from "../menu-entries.ts";
import { PAGE_KEYS } from "../shortcuts/page-keys.ts";
import { openShortcuts } from "../shortcuts/shortcuts-gate.tsx";

export interface PaletteCommand {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** Search words beside its label. */
  readonly also?: string;
  readonly icon: ReactNode;
  /** Further actions on what the command opens. */
  readonly actionsOf?: (() => readonly PaletteCommand[]) | undefined;
  run(): void;
}

export interface PaletteGroup {
  readonly name:
    | "recent"
    | "pages"
    | "actions"
    | "settings"
    | "requests"
    | "channels"
    | "tokens"
    | "users"
    | "redemptions";
  readonly commands: readonly PaletteCommand[];
}

/** An icon of the size that commands have. */
export const commandIcon = (Mark: Icon) => <Mark size={16} stroke={1.6} />;

function useActions(open: (path: string) => () => void): PaletteCommand[] {
  const { t, language: shown } = useTranslation("shell", "palette");
  const isAdmin = useIsAdmin();
  const user = useCurrentUser();
  const logOut = useLogOut();
  const { cycle } = useCycleColorScheme();
  const language = shown === "en" ? "zh-CN" : "en";
  const also = t("wordsForAdd");
  const forAdmins: PaletteCommand[] = [
    {
      id: "add-channel",
      label: t("addChannel"),
      also,
      icon: commandIcon(IconPlugConnected),
      run: open("/channel/add"),
    },
    { id: "add-user", label: t("addUser"), also, icon: commandIcon(IconUserPlus), run: open("/user/add") },
    { id: "add-codes", label: t("addCodes"), also, icon: commandIcon(IconTicket), run: open("/redemption/add") },
    { id: "what-if", label: t("whatIf"), icon: commandIcon(IconArrowsShuffle), run: open("/what-if") },
  ];
  const forUsers: PaletteCommand[] = [
    { id: "add-token", label: t("addToken"), also, icon: commandIcon(IconKey), run: open("/token/add") },
    { id: "profile", label: t("shell:editProfile"), icon: commandIcon(IconUserEdit), run: open("/user/edit") },
    { id: "logout", label: t("shell:logout"), icon: commandIcon(IconLogout), run: () => logOut.mutate() },
  ];
  return [
    ...(isAdmin ? forAdmins : []),
    ...(user === undefined ? [] : forUsers),
    { id: "scheme", label: t("colorScheme"), icon: commandIcon(IconSunMoon), run: cycle },
    { id: "language", label: t("language"), icon: commandIcon(IconLanguage), run: () => void chooseLanguage(language) },
    { id: "shortcuts", label: t("shortcuts"), hint: "?", icon: commandIcon(IconKeyboard), run: openShortcuts },
  ];
}

function hintOf(page: MenuEntryName) {
  const key = PAGE_KEYS[page];
  return key === undefined ? {} : { hint: `G ${key.toUpperCase()}` };
}

export function useOwnGroups(text: string): PaletteGroup[] {
  const { t } = useTranslation("shell");
  const router = useRouter();
  const open = (path: string) => () => router.history.push(path);
  const actions = useActions(open);
  const pages = useMenuEntries().flatMap(({ name, path, icon }) =>
    path === undefined
      ? []
      : [{ id: name, label: t(`menu.${name}`), icon: commandIcon(icon), ...hintOf(name), run: open(path) }],
  );
  const fits = ({ label, also = "" }: PaletteCommand) => hasWords(text, `${label} ${also}`);
  return [
    { name: "pages", commands: pages.filter(fits) },
    { name: "actions", commands: actions.filter(fits) },
  ];
}
